"""Warnings about processors and who else uses them."""

from weir.machine.rules import Card, Warning_, rule, warn
from weir.units import count_words, format_bytes, format_seconds, significant

BUSY_SHARE = 0.25
SLOW_COPIES = 4.0
"""Times as long; a copy that crosses lines of the cache takes up to twice as long anywhere."""
STEADY_GOVERNORS = frozenset({"performance"})


@rule("busy")
def busy(card: Card) -> Warning_ | None:
    """The last minute's load is above a quarter of the hardware threads."""
    tasks, threads = card["load"]["tasks_1min"], card["cpu"]["usable"] or card["cpu"]["threads"]
    if tasks < BUSY_SHARE * threads:
        return None
    return warn(
        f"the machine is busy: {tasks:.1f} runnable tasks in the last minute, on {threads} hardware threads",
        "other work takes processor time, memory bandwidth and perhaps the disk from the measurement",
        "wait until it is done, or take an exclusive node; intervals will be wide otherwise",
    )


@rule("governor")
def governor(card: Card) -> Warning_ | None:
    """The clock changes with the load."""
    name = card["cpu"]["governor"]
    if name is None or name in STEADY_GOVERNORS:
        return None
    return warn(
        f"the CPU frequency governor is '{name}'",
        "short requests find the processor at a low clock, so small transfers look slower than they are",
        "as root: cpupower frequency-set -g performance",
    )


@rule("cpu-limit")
def cpu_limit(card: Card) -> Warning_ | None:
    """The control group allows less processor time than there are hardware threads."""
    limit, threads = card["cgroup"]["cpu_limit"], card["cpu"]["usable"] or card["cpu"]["threads"]
    if limit is None or limit >= threads:
        return None
    return warn(
        f"this process may use {limit:g} of {threads} hardware threads' time",
        "a control group stops it for the rest of each period",
        f"use at most {count_words(max(1, int(limit)), 'rank')}, or raise the container's CPU limit",
    )


@rule("spinning")
def spinning(card: Card) -> Warning_ | None:
    """Few cores and an MPI that spins while it waits: more ranks than cores will fight for them."""
    mpi, cpu = card["mpi"], card["cpu"]
    spins = mpi.get("spins", "Open MPI" in (mpi["launcher"] or ""))
    cores = cpu["usable"] or cpu["threads"]
    if not spins or cores >= 4:
        return None
    return warn(
        f"with more than {count_words(cores, 'rank')} on a node, waiting ranks take its "
        f"{count_words(cores, 'core')} from working ones",
        "this MPI spins while it waits",
        "read results of more ranks than cores as the MPI's behaviour, not the storage's; "
        "with Open MPI, --mca mpi_yield_when_idle 1 softens it, and `weir run` sets it there",
    )


@rule("slow-copies")
def slow_copies(card: Card) -> Warning_ | None:
    """A copy takes several times as long where its destination begins a few bytes behind its source."""
    found = card["copies"]
    times = found["behind_s"] / found["same_s"]
    if times < SLOW_COPIES:
        return None
    same, behind = (format_seconds(found[key]) for key in ("same_s", "behind_s"))
    return warn(
        f"a copy of {format_bytes(found['bytes'])} takes {significant(times)} times as long where the "
        f"destination begins {count_words(found['offset'], 'byte')} behind the source in a page: {behind} "
        f"instead of {same} (medians of {found['batches']})",
        "the processor's instruction that glibc and the kernel copy by is slow there (glibc bug 30994), and "
        "neighbours on the heap lie so: messages of 4 KiB and more may take as many times as long",
        "let buffers of programs begin on pages (aligned_alloc), or set GLIBC_TUNABLES="
        "glibc.cpu.x86_rep_movsb_threshold=268435456 for copies by glibc; `weir doctor` with it shows what "
        "it gains. Weir's own buffers lie on pages, those of other benchmarks often do not",
    )


@rule("states")
def states(card: Card) -> Warning_ | None:
    """Probes of a third of a second show more than one state."""
    found = card["hand_off"]
    if len(found["states"]) < 2:
        return None
    times = " and ".join(f"{significant(state['handoff_ns'])} ns" for state in found["states"])
    return warn(
        f"the machine changes its state: a cache line passes from core to core in {times}",
        "the host of a virtual machine may move its cores between caches; messages, and whatever else ranks "
        "share, then change their speed within a run",
        "let Weir set samples of other states aside (it probes around each case), with a longer --budget for "
        "what that costs; compare no single measurements of other tools",
    )
