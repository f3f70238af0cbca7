"""How a machine is balanced, beside those of Saini et al. (2006): figures 1 to 5, and a roofline."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from weir.answers.answer import Number, Ratio
from weir.answers.quantities import quantity_of
from weir.compare.overlaid import SIDE
from weir.compare.profile import read_profile, rows_of
from weir.compare.shipped import shipped_machines
from weir.figures.figure import Card, Finding, Panel
from weir.hpcc.rates import ranks_of
from weir.network.reach import WITHIN
from weir.questions.question import figure
from weir.ratios.bars import bars_chart, remark_words, share_words
from weir.ratios.cases import system_cases
from weir.ratios.curves import curve_panels
from weir.ratios.derived import balance_rows
from weir.ratios.kiviat import kiviat_chart
from weir.ratios.quantities import COPY, RINGS
from weir.ratios.roofline import Point, Roofs, points_of, roofline_chart, roofs_of
from weir.ratios.systems import Share, System, balances_in, normalised, system_of
from weir.results.row import Row
from weir.units import count_words

MAXIMA = "saini-2006-maxima"
GREATEST, HERE = "greatest of Saini et al. 2006", "this machine"
CONDITIONS = (
    "Of all ranks together, from samples of the same launches. Printed numbers are one sample each, and "
    "nothing is judged by them. Hollow: of caches, of messages within one node beside those of several, or "
    "global and below 1 Tflop/s of HPL, where small systems have an advantage."
)
ROOFS = (
    "Roofs are measured: STREAM and DGEMM of all ranks. Operations for each byte are those of the kernel's "
    "definition, with every byte moved once; kernels of several ranks move more."
)


def greatest() -> System:
    """The maxima that the paper prints in table 2."""
    return system_of(GREATEST, rows_of(read_profile(shipped_machines()[MAXIMA])))


def printed_rows() -> dict[str, list[Row]]:
    """Every machine of which a balance is printed."""
    profiles = {name: read_profile(path) for name, path in shipped_machines().items() if name != MAXIMA}
    rows = {one.name: rows_of(one) for one in profiles.values()}
    wanted = {COPY.phase, RINGS.phase}
    return {name: found for name, found in rows.items() if any(row.phase in wanted for row in found)}


def sides_of(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each side of a comparison, by its name; of a run all."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row.options.get(SIDE, HERE)), []).append(row)
    return found


def shares_of(rows: Iterable[Row]) -> list[Share]:
    """Those of each side's case with the most ranks, and of the paper's greatest; nothing without HPL."""
    systems = [_system(name, some) for name, some in sides_of(rows).items()]
    known = [one for one in systems if one.rows]
    return normalised([*known, greatest()]) if known else []


def _system(name: str, rows: list[Row]) -> System:
    found = balances_in(rows)
    most = max((row.ranks for row in found), default=0)
    of_most = [row for row in found if row.ranks == most]
    return system_of(f"{name}, {count_words(most, 'rank')}", of_most)


def share_numbers(shares: Sequence[Share]) -> tuple[Number, ...]:
    """A line a quantity and a system: the number, and its share of the greatest."""
    return tuple(
        Number((one.quantity.phase, one.system.name), quantity_of(one.row), _remark(one)) for one in shares
    )


def _remark(one: Share) -> str:
    return ", ".join(filter(None, [f"{share_words(one.share)} of the greatest", remark_words(one)]))


def judge_shares(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The numbers of figure 5; null without HPL."""
    shares = shares_of(rows)
    if not shares:
        return None
    return Finding((), ("quantity", "system"), share_numbers(shares), CONDITIONS)


@figure(
    "hpcc-ratios",
    judge_shares,
    "Balance",
    "How is it balanced, beside the greatest of five machines of 2006?",
)
def hpcc_ratios(rows: list[Row], card: Card) -> list[Panel]:
    """Figure 5 as bars, and as a Kiviat diagram."""
    return share_panels(shares_of(rows))


def share_panels(shares: Sequence[Share]) -> list[Panel]:
    """Both ways to draw shares."""
    radar = kiviat_chart(shares)
    return [Panel("Bars", bars_chart(shares)), *([Panel("Kiviat diagram", radar)] if radar else [])]


def judge_curves(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The balance of every case; null without HPL."""
    found = [row for row in balance_rows(rows) if row.phase in (COPY.phase, RINGS.phase)]
    if not found:
        return None
    return Finding((), ("quantity", "ranks"), tuple(map(_number, found)), CONDITIONS)


def _number(row: Row) -> Number:
    where = WITHIN if RINGS.phase == row.phase and RINGS.is_within(row) else ""
    return Number((row.phase, count_words(row.ranks, "rank")), quantity_of(row), where)


@figure(
    "hpcc-balance",
    judge_curves,
    "Balance over ranks",
    "What do network and memory move for each operation of HPL?",
)
def hpcc_balance(rows: list[Row], card: Card) -> list[Panel]:
    """Figures 1 to 4: a curve of this machine, and the printed ratios as lines."""
    return curve_panels({**sides_of(rows), **printed_rows()})


def _roofed(rows: Iterable[Row]) -> Iterator[tuple[str, Roofs, list[Point]]]:
    """Of each side the case with the most ranks that has roofs, and the points below these."""
    for name, some in sides_of(rows).items():
        cases = [(case, roofs) for case in system_cases(some) if (roofs := roofs_of(case)) is not None]
        if cases:
            case, roofs = max(cases, key=lambda one: ranks_of(one[0]))
            yield f"{name}, {count_words(ranks_of(case), 'rank')}", roofs, [*points_of(case, roofs)]


def judge_roofline(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """What share of its roof each kernel reaches; null without STREAM and DGEMM."""
    numbers = [_share(name, one) for name, _, points in _roofed(rows) for one in points]
    columns = ("machine", "kernel", "intensity")
    return Finding((), columns, tuple(numbers), ROOFS) if numbers else None


def _share(name: str, one: Point) -> Number:
    value = Ratio(one.share, *_ends(one), one.row.n, "of the roof", "%")
    remark = ", ".join(filter(None, [one.kernel.counted, "in caches" if one.row.in_caches else ""]))
    return Number((name, one.kernel.name, f"{one.intensity:.3g} flop/B"), value, remark)


def _ends(one: Point) -> tuple[float | None, float | None]:
    """Of the kernel's rate: the roof is one number."""
    if one.low is None or one.high is None:
        return None, None
    return one.low / one.roof, one.high / one.roof


@figure(
    "roofline", judge_roofline, "Roofline", "How near do kernels come to what memory and processors permit?"
)
def roofline(rows: list[Row], card: Card) -> list[Panel]:
    """Kernels below the roofs of the case with the most ranks; a panel a side."""
    found = [(name, roofline_chart(roofs, points)) for name, roofs, points in _roofed(rows) if points]
    return [Panel(name if len(found) > 1 else "", chart) for name, chart in found]
