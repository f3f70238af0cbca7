"""Warnings about memory."""

from weir.machine.rules import Card, Warning_, rule, warn

COLD_RATIO = 2.0
LITTLE_MEMORY_BYTES = 2 << 30


@rule("cold-memory")
def cold_memory(card: Card) -> Warning_ | None:
    """New pages cost more than twice what they cost once the host has backed them."""
    touch = card["first_touch"]
    cold, warm = touch["first_s_per_page"], touch["again_s_per_page"]
    if cold < COLD_RATIO * warm:
        return None
    return warn(
        f"the first touch of a page of memory takes {cold * 1e6:.2f} µs, {cold / warm:.1f} times as "
        f"long as later ({warm * 1e6:.2f} µs)",
        "the host backs a virtual machine's memory only when it is used, so what uses memory first, as a "
        "large buffered write, measures the host handing it out",
        "let Weir warm the memory (it does so before timing), and distrust other tools' first repetitions",
    )


@rule("memory-limit")
def memory_limit(card: Card) -> Warning_ | None:
    """The control group allows less than the machine has: the page cache is counted against it."""
    limit, total = card["cgroup"]["memory_limit_bytes"], card["memory"]["total_bytes"]
    if limit is None or limit >= total:
        return None
    return warn(
        f"this process may use {limit / 2**30:.1f} GiB of the machine's {total / 2**30:.1f} GiB of memory",
        "a control group limits it, and the page cache counts against that limit",
        "expect the cache cliff at the limit, not at the machine's memory",
    )


@rule("little-memory")
def little_memory(card: Card) -> Warning_ | None:
    """Less than 2 GiB available."""
    available = card["memory"]["available_bytes"]
    if available >= LITTLE_MEMORY_BYTES:
        return None
    return warn(
        f"only {available / 2**30:.2f} GiB of memory are available",
        "large cases would push other programs' pages out, and be slowed down by that",
        "end other programs, or measure smaller blocks",
    )
