"""The balance of a run as rows of their own, so that they stand beside those of others: from samples of the
same launches, whose machine was in one state."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from weir.analyse.metric import Metric
from weir.analyse.paired import Turn
from weir.analyse.statistics import estimate_median
from weir.compare.profile import Profile, profile_of
from weir.compare.settings import BALANCE, CALLS
from weir.compare.sides import Side, SideRun
from weir.hpcc.rates import HPL, Case
from weir.network.rows import BANDWIDTH, function_of, message_bytes, network_rows
from weir.ratios.cases import system_cases
from weir.ratios.quantities import QUANTITIES, Quantity
from weir.report.gather import Contents
from weir.report.headline_rows import named_row
from weir.results.row import FITS_IN_CACHE, Measured, Row, measured, with_metric
from weir.store.run_directory import host_of

WRITE, READ, DUMP = "storage writes / HPL", "storage reads / HPL", "dump of the memory"


def with_balances(sides: Sequence[Side]) -> list[Side]:
    """The sides, and where one of them has printed numbers, the others with those rows that correspond to
    them. Two runs are compared by what was measured: of a balance, a quicker HPL would be worse."""
    if not any(row.place for side in sides for rows in side.rows for row in rows):
        return [*sides]
    return [replace(side, runs=tuple(map(_with_balances, side.runs))) for side in sides]


def _with_balances(run: SideRun) -> SideRun:
    """Unless it has them already: a profile does."""
    if any(row.benchmark == BALANCE for row in run.rows):
        return run
    return replace(run, rows=(*run.rows, *derived_rows(run.rows, run.machine)))


def whole_profile(contents: Contents, path: Path, name: str = "") -> Profile:
    """That of the run at `path`, with the numbers that its samples give together; `name`: of the machine, by
    default its host's, else that of the run's folder."""
    called = name or host_of(contents.machine) or path.resolve().name
    return profile_of(contents, called, derived_rows(contents.rows, contents.machine))


def derived_rows(rows: Iterable[Row], card: Mapping[str, Any]) -> list[Row]:
    """All of a run; nothing of printed numbers."""
    own = [row for row in measured(rows) if not row.place]
    return [*balance_rows(own), *storage_rows(own, card), *call_rows(own)]


def balance_rows(rows: Iterable[Row]) -> list[Row]:
    """Those of each case that has HPL."""
    return [row for case in system_cases(rows) for one in QUANTITIES if (row := balance_row(one, case))]


def balance_row(one: Quantity, case: Case) -> Row | None:
    """A quantity of a case, from each launch that has both; null where none has."""
    row = one.rate.row(case)
    if row is None:
        return None
    apart = row.case != case[HPL.phase].case
    pairs = _pairs(one.rate.by_turn(case), HPL.by_turn(case), apart=apart)
    values = [one.value(rate, system) for rate, system in pairs if rate > 0 and system > 0]
    if not values:
        return None
    cached = row.in_caches or (one.per_hpl and case["hpl"].in_caches)
    return made_row(row, one.phase, one.metric, values, cached=cached)


def _pairs(
    ones: Mapping[Turn, float], others: Mapping[Turn, float], *, apart: bool
) -> list[tuple[float, float]]:
    """Of the same turns; of cases of their own (`apart`) that had other turns by opposed()."""
    together = [(ones[turn], others[turn]) for turn in sorted(ones) if turn in others]
    if not apart or len(together) >= min(len(ones), len(others)):
        return together
    return opposed([*ones.values()], [*others.values()])


def opposed(ones: Sequence[float], others: Sequence[float]) -> list[tuple[float, float]]:
    """Of samples that were not taken together: the greatest of one side with the least of the other, and so
    on. The median of their quotients is about that of the medians, and the spread is that of opposite
    ends: wider than pairs by chance would have it."""
    count = min(len(ones), len(others))

    def spread_out(values: Sequence[float]) -> list[float]:
        return [sorted(values)[(2 * at + 1) * len(values) // (2 * count)] for at in range(count)]

    return [*zip(spread_out(ones), reversed(spread_out(others)), strict=True)]


def made_row(row: Row, phase: str, metric: Metric, values: Sequence[float], *, cached: bool = False) -> Row:
    """A row of numbers that were computed from those of `row` and others."""
    found = estimate_median(values)
    assert found is not None
    return Row(
        case=row.case,
        phase=phase,
        ranks=row.ranks,
        options={},
        n=found.count,
        median=found.median,
        low=found.low,
        high=found.high,
        verdict="",
        nodes=row.nodes,
        comparisons=row.comparisons,
        own_warnings=(FITS_IN_CACHE,) if cached else (),
        samples=tuple(values),
        metric=metric,
        metrics=(Measured(metric, found),),
        benchmark=BALANCE,
    )


def storage_rows(rows: Sequence[Row], card: Mapping[str, Any]) -> list[Row]:
    """What the storage does for each operation of HPL with the most ranks, and how long a dump of the memory
    takes, by the writes and reads that speak for a run; nothing where it has not both."""
    systems = [row for row in rows if row.phase == "hpl" and row.metric.key == "flop_per_s"]
    if not systems:
        return []
    hpl = max(systems, key=lambda row: row.ranks)
    memory = (card.get("memory") or {}).get("total_bytes")
    found = []
    for phase, moves in ((WRITE, "write"), (READ, "read")):
        best = named_row([row for row in rows if row.on_storage], moves)
        if best is None or not best.samples:
            continue
        metric = Metric(f"storage_{moves}_per_hpl", "B/kflop", f"{moves}s for each operation", True)
        pairs = opposed(best.samples, hpl.samples)
        found.append(made_row(best, phase, metric, [1e3 * one / rate for one, rate in pairs]))
        if moves == "write" and memory:
            times = [memory / one for one in best.samples if one > 0]
            found.append(made_row(best, DUMP, Metric("dump_s", "s", "time of a dump", False), times))
    return found


PRINTED_BYTES = 1 << 20
"""The message of which papers print bandwidths."""


def call_rows(rows: Sequence[Row]) -> list[Row]:
    """The bandwidths of calls that have one, beside their times; of the message that others print."""
    named = [(row, with_metric(row, BANDWIDTH)) for row in network_rows(rows)]
    return [
        replace(found, phase=function_of(row), benchmark=CALLS, label="", comparisons=())
        for row, found in named
        if found is not None and found.metric != row.metric and message_bytes(row) == PRINTED_BYTES
    ]
