"""Reads and writes by interface: data, sizes and aggregate bandwidth. Table 2 of Thakur et al. (1996)."""

from markupsafe import Markup

from weir.counts import more_words
from weir.explain.page.pictures.sizes import histogram
from weir.explain.page.section import Section, Table
from weir.explain.summary import Summary, TransferRow
from weir.units import format_bandwidth, format_bytes, format_seconds, format_share

MOST_SIZES = 4


def section(summary: Summary) -> Section | None:
    """All interfaces that moved anything."""
    if not summary.transfers:
        return None
    headings = (
        "interface",
        "",
        ">requests",
        ">collective",
        ">data",
        ">bandwidth",
        f">mean per {summary.head.one}",
        ">longest",
        ">consecutive",
        ">backward",
        "~most frequent sizes",
    )
    return Section(
        30,
        "requests",
        "Requests and their sizes",
        f"Bandwidth is {summary.head.bandwidth}. Consecutive requests began where the thread's "
        "last one in that file had ended, backward ones before it.",
        Markup("").join(histogram(row) for row in summary.transfers if row.histogram),
        (Table(headings, [_cells(row) for row in summary.transfers]),),
    )


def _cells(row: TransferRow) -> list[str]:
    return [
        row.interface,
        row.kind,
        f"{row.requests:,}",
        format_share(row.collective / row.requests) if row.collective else "",
        format_bytes(row.bytes),
        "" if row.bytes_per_s is None else format_bandwidth(row.bytes_per_s),
        format_seconds(row.per_rank_s),
        "unknown" if row.longest_s is None else format_seconds(row.longest_s),
        _share(row.consecutive, row.requests),
        _share(row.backward, row.requests),
        _sizes(row),
    ]


def _share(part: int | None, whole: int) -> str:
    return "unknown" if part is None else format_share(part / max(1, whole))


def _sizes(row: TransferRow) -> str:
    shown = [f"{format_bytes(one.bytes)}: {one.requests:,}" for one in row.common[:MOST_SIZES]]
    if row.sizes is None:
        return ", ".join([*shown, "…"])
    more = row.sizes - len(shown)
    return ", ".join(shown) + (f", and {more_words(more, 'size')}" if more > 0 else "")
