"""What the trace lacks: ranks that did not end, calls that found no room, and what no call was seen of."""

import errno
import os
from collections.abc import Iterator, Sequence

from weir.answers.answer import Caveat, Evidence
from weir.explain.rule import Remedy, lacking, rule
from weir.explain.summary import Head, TraceSummary
from weir.trace.unseen import Unseen
from weir.units import count_words, format_bytes, format_seconds

CALLS = 4
NAMED = 8
SOURCE = "any of it may hide the cause"
_KNOWN = {
    errno.EFBIG: "the trace had reached its bound",
    errno.ENOLINK: "the process could not reach the trace any more",
    errno.EINTR: "signal handlers interrupted the recorder",
}


@rule(
    caveats={
        "missing-ranks": "nothing recorded of {count} of {whole} ({which})",
        "unended": "did not end normally: {count} of {who} ({which})",
        "lost-calls": "{calls}{since} only counted, in no table: {why}",
        "damaged-trace": "parts of the trace cannot be read: {count}, named in the notes",
    },
    remedies={
        "every-node": Remedy("install Weir on every node at one path; record to shared storage"),
        "greater-limit": Remedy("record with a greater --limit, or --only some files"),
        "more-room": Remedy("record where there is more room (-o), or --only some files"),
    },
    speaks="a part of the trace cannot be read, a rank is missing or did not end by itself, or calls were "
    "counted and not recorded",
    source=SOURCE,
)
def incomplete(summary: TraceSummary) -> Iterator[Caveat]:
    """What cannot be read, ranks that did not end by themselves, and calls past the recorder's bound."""
    head = summary.head
    if head.damaged:
        yield lacking("damaged-trace", head.damaged, max(head.damaged, head.processes))
    if head.missing:
        whole = head.ranks + len(head.missing)
        yield lacking(
            "missing-ranks",
            len(head.missing),
            whole,
            "every-node",
            whole=count_words(whole, "rank"),
            which=_named(head.missing),
        )
    if head.unended:
        yield lacking("unended", len(head.unended), head.ranks, who=head.who, which=_named(head.unended))
    if head.calls_lost:
        since = "" if head.lost_from_s is None else f" from {format_seconds(head.lost_from_s)} on"
        yield lacking(
            "lost-calls",
            head.calls_lost,
            head.calls + head.calls_lost,
            _action(head),
            tuple(_by_call(head)),
            calls=count_words(head.calls_lost, "call"),
            since=since,
            why=_why(head),
        )


def _named(ranks: Sequence[int]) -> str:
    return ", ".join(map(str, ranks[:NAMED])) + (", …" if len(ranks) > NAMED else "")


def _why(head: Head) -> str:
    reasons = [_KNOWN[why] for why in head.lost_why if why in _KNOWN]
    reasons += [f"the trace could not grow ({_error(why)})" for why in head.lost_why if why not in _KNOWN]
    return " or ".join(reasons) or "the trace had reached its bound or its disk was full"


def _error(number: int) -> str:
    return os.strerror(number) if number in errno.errorcode else f"error {number}"


def _action(head: Head) -> str:
    """Empty where no room would help."""
    if head.lost_why and not set(head.lost_why) - {errno.ENOLINK, errno.EINTR}:
        return ""
    return "greater-limit" if set(head.lost_why) <= {errno.EFBIG} else "more-room"


def _by_call(head: Head) -> Iterator[Evidence]:
    for row in sorted(head.lost, key=lambda row: -row.calls)[:CALLS]:
        name = row.call.partition(" ")[2]
        yield Evidence(f"calls of {name}", row.calls)
        yield from [Evidence(f"bytes of {name}", row.bytes, "B")] if row.bytes else []
        yield Evidence(f"time in {name}", row.total_s, "s")
    if len(head.lost) > CALLS:
        yield Evidence("more functions", len(head.lost) - CALLS)


PROGRAMS = 6
RINGS = {"io_uring": "io_uring", "libaio": "libaio"}
OF_PROGRAM = {
    "static": "link-dynamically",
    "rights": "record-copy",
    "left": "",
    "misplaced": "flush-appends",
    "silent": "other-disk",
}
"""Reasons of which only the program is said, and what helps."""


@rule(
    caveats={
        "running": "still running when the program had ended: {programs}",
        "kernel": "{program}: the kernel counts {bytes} of which no call was seen",
        "static": "{program} is not recorded: it is linked statically",
        "rights": "{program} is not recorded: it has rights of its own",
        "left": "{program} is not recorded: executed without the recorder",
        "spawned": "nothing recorded of {processes} that {program} spawned",
        "ring": "{program}: what it moved through {ring} is not recorded",
        "misplaced": "{program}: some appends landed elsewhere than recorded",
        "silent": "{program}: nothing is recorded: the trace's disk was full",
        "restricted": "{program}: {reason}: later calls may be only counted",
        "more-programs": "more programs of which the same holds: {count}",
    },
    remedies={
        "look-again": Remedy("look again when all has ended: the trace grows"),
        "others-started": Remedy("it started {others}, or calls the system directly"),
        "strace": Remedy("it calls the system directly, or started others: strace -f shows"),
        "link-dynamically": Remedy("link it dynamically (no -static; Cray: CRAYPE_LINK_TYPE=dynamic)"),
        "record-copy": Remedy("record a copy without them: cp PROGRAM copy"),
        "before-launcher": Remedy("put `weir trace` before the launcher: it reaches spawned processes"),
        "other-method": Remedy("choose another I/O method in the program"),
        "flush-appends": Remedy("flush a stream after each write that must stay whole"),
        "other-disk": Remedy("record where there is more room (-o)"),
    },
    speaks="a program did not load the recorder, or the kernel counts bytes of which no call was seen",
    source=SOURCE,
)
def unseen(summary: TraceSummary) -> Iterator[Caveat]:
    """Programs that did not load the recorder, and calls that passed it."""
    head = summary.head
    running = [one.program for one in head.unseen if one.reason == "running"]
    if running:
        more = f" and {len(running) - PROGRAMS:,} more" if len(running) > PROGRAMS else ""
        programs = ", ".join(running[:PROGRAMS]) + more
        yield lacking("running", len(running), head.processes, "look-again", programs=programs)
    others = [one for one in head.unseen if one.reason != "running"]
    for one in others[:PROGRAMS]:
        yield _unseen(one, head)
    if (left := len(others) - PROGRAMS) > 0:
        yield lacking("more-programs", left, len(others))


def _unseen(one: Unseen, head: Head) -> Caveat:
    program = one.program + (f" ({count_words(one.times, 'time')})" if one.times > 1 else "")
    counts = one.times, max(one.times, head.processes)
    if one.reason == "kernel":
        return _passed(one, counts)
    if one.reason in OF_PROGRAM:
        return lacking(one.reason, *counts, OF_PROGRAM[one.reason], program=program)
    if one.reason == "spawned":
        processes = count_words(one.times, "process", "processes")
        return lacking("spawned", *counts, "before-launcher", program=one.program, processes=processes)
    if one.reason in RINGS:
        return lacking("ring", *counts, "other-method", program=program, ring=RINGS[one.reason])
    return lacking("restricted", *counts, program=program, reason=one.reason)


def _passed(one: Unseen, counts: tuple[int, int]) -> Caveat:
    """Bytes that passed the recorder."""
    moved = [(one.written, "written"), (one.read, "read")]
    evidence = tuple(Evidence(verb, count, "B") for count, verb in moved if count)
    said = " and ".join(f"{format_bytes(count)} {verb}" for count, verb in moved if count)
    names = ", ".join(one.others[:CALLS]) + (", …" if len(one.others) > CALLS else "")
    action = "others-started" if one.others else "strace"
    return lacking("kernel", *counts, action, evidence, program=one.program, bytes=said, others=names)
