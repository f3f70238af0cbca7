"""How large the requests were, and the bandwidth of all ranks.

Tables 2, 4, 6 and 8 of Thakur, Gropp and Lusk (1996): their bandwidth is the data of all ranks by the mean
time that a rank spends in the calls, and their MB are 2^20 bytes. Where ranks take turns that is more than
the run got, so the bandwidth by the slowest rank comes first.
"""

from collections import Counter
from typing import Any

from weir.io_account.account import IoAccount, Transfers, io_account
from weir.io_account.words import run_words, source_words
from weir.results.printed import Printed, as_printed, estimate_data, median_words
from weir.results.row import Row
from weir.results.words import join_words
from weir.tables.table import MARK, SIZES, Column, Table, printed_cell, printed_notes, table
from weir.units import format_bytes, parse_bytes, shown_in, significant

MIB = 1 << 20
BANDWIDTH = shown_in("B/s")
DATA, SPEED = "data_mib", "bandwidth_mib_per_s"
MOST_SIZES = 4
SAME_DATA = 0.01
"""Printed data, which are rounded, differ where they do by more than this share."""
BY_SLOWEST = "MiB/s, slowest rank"
OF_THE_PAPER = "MiB/s, the paper's formula"
MEANING = (
    "Bandwidth by the slowest rank is the data of all ranks over its time in all dumps, or in the restart, "
    "with opening, exchange between ranks and closing: what the run got. The paper's formula (Thakur, Gropp "
    "and Lusk 1996) divides the same data by the average time a rank spends in the reads or writes "
    "alone; where ranks take turns, that is more than the run got. Both are whatever caches take or give."
)
UNRECORDED = "not recorded"


@table("requests", ("operation", SIZES, DATA, SPEED))
def requests(row: Row) -> Table | None:
    """The requests of one case compared with published ones; null for what is no run of an application."""
    account = io_account(row.records)
    if account is None:
        return None
    published = [printed for printed in row.printed if printed.table == "requests"]
    sizes, more = _sizes(account)
    moved = [name for name, transfers in account.transfers.items() if transfers.bytes]
    return Table(
        name="requests",
        title=f"Requests: {run_words(account)}",
        caption=f"{source_words(account, published)} {MEANING}",
        columns=(
            Column("operation"),
            *(Column(format_bytes(size), "requests of") for size in sizes),
            *([Column("others", "requests of")] if more else []),
            Column("MiB", "data"),
            Column("here", BY_SLOWEST),
            Column("here", OF_THE_PAPER),
            *(Column(printed.machine, OF_THE_PAPER) for printed in published),
        ),
        rows=tuple(_cells(name, account, sizes, more=more, published=published) for name in moved),
        notes=tuple(_notes(account, published)),
        data=_data(account, published),
    )


def _sizes(account: IoAccount) -> tuple[list[int], bool]:
    """The sizes that get a column of their own, the smallest first, and whether there are others."""
    counts: Counter[int] = Counter()
    for transfers in account.transfers.values():
        counts.update(dict(transfers.sizes))
    if len(counts) <= MOST_SIZES:
        return sorted(counts), False
    return sorted(size for size, _ in counts.most_common(MOST_SIZES - 1)), True


def _cells(
    name: str, account: IoAccount, sizes: list[int], *, more: bool, published: list[Printed]
) -> tuple[str, ...]:
    transfers = account.transfers[name]
    counts = dict(transfers.sizes)
    others = sum(count for size, count in counts.items() if size not in sizes)
    bandwidth, paper = transfers.bandwidth, transfers.bandwidth_of_the_paper
    return (
        name + (MARK if _differences(name, transfers, published) else ""),
        *(f"{counts.get(size, 0):,}" for size in sizes),
        *([f"{others:,}"] if more else []),
        significant((transfers.bytes or 0) / MIB),
        median_words(bandwidth, BANDWIDTH) if bandwidth else UNRECORDED,
        median_words(paper, BANDWIDTH) if paper else "not timed",
        *(printed_cell(printed.number(name, SPEED)) for printed in published),
    )


def _notes(account: IoAccount, published: list[Printed]) -> list[str]:
    notes = [
        f"{MARK} {name}: {join_words(found)}."
        for name, transfers in account.transfers.items()
        if (found := _differences(name, transfers, published))
    ]
    return notes + _unrecorded(account) + printed_notes(published)


def _unrecorded(account: IoAccount) -> list[str]:
    """Which bandwidths by the slowest rank are missing, and why."""
    recorded = {name: len(found.bandwidths) for name, found in account.transfers.items() if found.bytes}
    none = [name for name, runs in recorded.items() if not runs]
    some = [
        f"{name} ({runs} of {account.runs})" for name, runs in recorded.items() if 0 < runs < account.runs
    ]
    notes = []
    if none:
        notes.append(
            f"{join_words(none)}: no bandwidth by the slowest rank, because an older version of Weir made "
            "the run, which did not record that rank's time. Run the study again for it."
        )
    if some:
        notes.append(
            f"{join_words(some)}: the bandwidth by the slowest rank is of so many of the runs; an older "
            "version of Weir made the others, which did not record that rank's time."
        )
    return notes


def _differences(name: str, transfers: Transfers, published: list[Printed]) -> list[str]:
    """Where the printed sizes or data are others than here."""
    found = [
        words
        for printed in published
        for column in printed.columns[1:]
        if (words := _difference(transfers, column, printed.number(name, column)))
    ]
    return list(dict.fromkeys(found))


def _difference(transfers: Transfers, column: str, value: float | None) -> str:
    """What is printed in a column if it is something else here; bandwidths are meant to be."""
    if value is None or column == SPEED:
        return ""
    if column == DATA:
        here = (transfers.bytes or 0) / MIB
        differs = abs(here - value) > SAME_DATA * value
        return f"{significant(here)} MiB here, {as_printed(value)} MiB printed" if differs else ""
    size = parse_bytes(column)
    count = dict(transfers.sizes).get(size, 0)
    return f"{count:,} requests of {format_bytes(size)} here, {value:,.0f} printed" if count != value else ""


def _data(account: IoAccount, published: list[Printed]) -> dict[str, Any]:
    return {
        "runs": account.runs,
        "ranks": account.ranks,
        **account.shape,
        "operations": [
            {
                "operation": name,
                "sizes": [{"bytes": size, "requests": count} for size, count in transfers.sizes],
                "bytes": transfers.bytes,
                **estimate_data("bytes_per_s", transfers.bandwidth),
                **estimate_data("of_the_paper_bytes_per_s", transfers.bandwidth_of_the_paper),
                "printed": {
                    printed.machine: {key: printed.number(name, key) for key in printed.columns[1:]}
                    for printed in published
                },
            }
            for name, transfers in account.transfers.items()
        ],
    }
