"""What was done and is not in the trace."""

from collections.abc import Iterator

from weir.counts import more_words
from weir.explain.remark import Remark
from weir.explain.summary import Summary
from weir.trace.unseen import Unseen
from weir.units import format_bytes

MOST = 6
RINGS = {"io_uring": "io_uring", "libaio": "Linux's asynchronous I/O (libaio)"}
NOT_LOADED = {
    "static": (
        "it is linked statically",
        "Link it dynamically (without -static; on Cray: -dynamic, or CRAYPE_LINK_TYPE=dynamic).",
    ),
    "rights": (
        "it runs with rights of its own (set-uid, set-gid or file capabilities), and the system then loads "
        "no recorder",
        "Record a copy without them: cp PROGRAM copy.",
    ),
    "left": (
        "a process became it, and it did not load the recorder (it is linked statically, runs with rights "
        "of its own, or has an environment of its own)",
        "",
    ),
}


def remarks(summary: Summary) -> Iterator[Remark]:
    """Programs that did not load the recorder, and calls that passed it."""
    running = [one.program for one in summary.head.unseen if one.reason == "running"]
    if running:
        yield _still_run(running)
    others = [one for one in summary.head.unseen if one.reason != "running"]
    for one in others[:MOST]:
        yield _remark(one)
    more = len(others) - MOST
    if more > 0:
        yield Remark(f"So it is with {more_words(more, 'program')}.", incomplete=True)


def _still_run(programs: list[str]) -> Remark:
    more = f" and {len(programs) - MOST:,} more" if len(programs) > MOST else ""
    return Remark(
        f"Still running when the program had ended: {', '.join(programs[:MOST])}{more}. The trace has what "
        "was recorded of that until it was read.",
        "The trace grows while that runs: look at it again when that has ended.",
        incomplete=True,
    )


def _remark(one: Unseen) -> Remark:
    many = f" ({one.times:,} times)" if one.times > 1 else ""
    if one.reason == "kernel":
        return Remark(_counted(one), _ways_past(one), incomplete=True)
    if one.reason in NOT_LOADED:
        why, advice = NOT_LOADED[one.reason]
        return Remark(f"{one.program} was started{many} and is not recorded: {why}.", advice, incomplete=True)
    if one.reason in RINGS:
        return Remark(
            f"{one.program}{many} set up a ring of requests of {RINGS[one.reason]}: what it read and wrote "
            "through it is not recorded.",
            "Choose another way of I/O in the program, if it has one, to see what it asks for.",
            incomplete=True,
        )
    if one.reason == "silent":
        return Remark(
            f"{one.program}{many} could write nothing to the trace: its disk was full. None of its calls is "
            "here.",
            "Record where there is more room (-o).",
            incomplete=True,
        )
    return Remark(
        f"{one.program}{many}: {one.reason}. Calls of it and of its children since then that found no room "
        "in what it held of the trace are counted and not recorded.",
        incomplete=True,
    )


def _counted(one: Unseen) -> str:
    parts = [
        f"{format_bytes(count)} {verb}"
        for count, verb in ((one.written, "written"), (one.read, "read"))
        if count
    ]
    return f"{one.program}: the kernel counts {' and '.join(parts)} of which no call was seen."


def _ways_past(one: Unseen) -> str:
    if one.others:
        names = ", ".join(one.others[:4]) + (", …" if len(one.others) > 4 else "")
        return f"It started what did not load the recorder, or makes system calls of its own: {names}."
    return (
        "It makes system calls of its own (as Go does), or started what did not load the recorder. "
        "strace -f shows them."
    )
