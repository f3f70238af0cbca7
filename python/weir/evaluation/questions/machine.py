"""The whole machine in six rows: what its parts give to all ranks, how they are balanced, and with how many
ranks each is saturated."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.analyse.metric import Metric
from weir.analyse.statistics import MedianEstimate
from weir.answers.answer import Answer, Certainty, Number, Quantity, Ratio, Several, Threshold
from weir.answers.quantities import certainty_of, quantity_answer, quantity_of, quantity_of_estimate
from weir.evaluation.curves import Curve, curves_of, most_ranks
from weir.evaluation.picture import panel_of
from weir.figures.figure import Card, Finding, Panel
from weir.network.headline import messages
from weir.network.reach import WITHIN
from weir.network.rows import network_rows
from weir.questions.question import figure
from weir.ratios.derived import balance_rows
from weir.report.headline_rows import DIRECTIONS, named_row
from weir.report.part_rows import weight_of
from weir.results.row import Row, measured, median_of
from weir.results.words import cached_action
from weir.units import count_words

ORDER = ("memory", "compute", "network", "storage", "balance", "saturation")
"""The rows of the screen: first the parts, in the order of the study."""
WORST = (Certainty.SURE, Certainty.WITHIN, Certainty.OPEN, Certainty.NOT_MEASURED)
CONDITIONS = (
    "Of all ranks together. Balance: bytes for each operation of HPL, and the time to write all memory to "
    "the storage. Saturated: no more ranks give 10 % more. Matrices and arrays are small, of 64 to 128 MiB a "
    "core: HPL can be faster with more."
)
DUMP = Metric("dump_s", "s", "time to write all memory", greater_is_better=False)


def judge_machine(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Null where none of its tests has a number."""
    curves = curves_of(rows)
    answers = [one for one in _answers(rows, curves, card) if one]
    if not answers:
        return None
    return Finding(
        answers=tuple(answers),
        columns=("part", "test", "ranks"),
        numbers=tuple(_numbers(rows, curves)),
        conditions=CONDITIONS,
    )


def _answers(rows: list[Row], curves: Sequence[Curve], card: Mapping[str, Any]) -> Iterator[Answer | None]:
    last = {curve.name: curve.last for curve in curves}
    hpl = most_ranks(rows, "hpl", "hpl")
    yield _several("memory", {"copy": last.get("STREAM copy")})
    yield _several("compute", {"HPL": hpl, "DGEMM": last.get("DGEMM")})
    sent = network_rows(rows)
    across, within = [row for row in sent if not row.within_node], [row for row in sent if row.within_node]
    yield _several("network", _pings(across))
    yield _several("network", _pings(within), "Within a node")
    own = [row for row in measured(rows) if row.benchmark == "storage"]
    yield _storage(own)
    yield _balance(rows, hpl, named_row(own, "write"), card)
    yield _saturation([curve for curve in curves if curve.leads])


def _pings(rows: list[Row]) -> dict[str, Row]:
    return {what.lower(): row for what, row in messages(rows).items()}


def _several(of: str, rows: Mapping[str, Row | None], title: str = "") -> Answer | None:
    """A row of the screen of these numbers, by default under the part's name; null where none was
    measured."""
    known = {name: row for name, row in rows.items() if row}
    if not known:
        return None
    answers = [quantity_answer("", row) for row in known.values()]
    values = tuple((name, quantity_of(row)) for name, row in known.items())
    ranks = " and ".join(dict.fromkeys(count_words(row.ranks, "rank") for row in known.values()))
    certainty = max((one.certainty for one in answers), key=WORST.index)
    unsure = [
        row.case
        for row, one in zip(known.values(), answers, strict=True)
        if one.certainty is not Certainty.SURE
    ]
    found = _answer(of, Several(values), certainty, frozenset(unsure))
    return replace(found, setting=ranks, title=title or found.title)


def _storage(rows: list[Row]) -> Answer | None:
    """Written and read; a direction without a number that can be the storage's is undecided."""
    asked = [name for name in DIRECTIONS if any(row.direction == name for row in rows)]
    honest = {name: row for name in asked if (row := named_row(rows, name))}
    known = _several("storage", honest)
    if len(honest) == len(asked):
        return known
    lacking = [row for row in rows if row.direction in asked and row.direction not in honest]
    action = cached_action(lacking) if all(row.suspect for row in lacking) else "tell-source"
    if known is None:
        none = _answer("storage", None, Certainty.NOT_MEASURED, frozenset())
        return replace(none, action=action)
    values = tuple((name, quantity_of(honest[name]) if name in honest else None) for name in asked)
    return replace(known, value=Several(values), certainty=Certainty.OPEN, action=action)


def _answer(of: str, value: Several | None, certainty: Certainty, cases: frozenset[str]) -> Answer:
    return Answer(
        "",
        value=value,
        certainty=certainty,
        action="more-samples" if certainty is Certainty.OPEN else "",
        weight=weight_of(ORDER.index(of)),
        open_cases=cases,
        title=of.capitalize(),
    )


def _balance(rows: list[Row], hpl: Row | None, write: Row | None, card: Mapping[str, Any]) -> Answer | None:
    """Bytes for each operation of HPL, and the time of a dump of the memory."""
    values: list[tuple[str, Quantity | Ratio]] = []
    if hpl:
        balances = {row.phase: row for row in balance_rows(rows) if row.ranks == hpl.ranks}
        for name, phase, unit in (("copy", "STREAM copy / HPL", 1.0), ("rings", "random rings / HPL", 1e-3)):
            if row := balances.get(phase):
                inside = f" {WITHIN}" if name == "rings" and row.within_node else ""
                values.append((f"{name}{inside}", _per_operation(row, unit)))
    memory = (card.get("memory") or {}).get("total_bytes")
    if write and memory:
        values.append(("dump of memory", _dump(write, memory)))
    if not values:
        return None
    certainty = max((certainty_of(value) for _, value in values), key=WORST.index)
    return _answer("balance", Several(tuple(values)), certainty, frozenset())


def _per_operation(row: Row, unit: float) -> Ratio:
    """In B/flop, of a balance in so many of that."""
    low, high = (None if one is None else one * unit for one in (row.low, row.high))
    return Ratio(median_of(row) * unit, low, high, row.n, unit="B/flop")


def _dump(write: Row, memory_bytes: int) -> Quantity:
    low = memory_bytes / write.high if write.high else None
    high = memory_bytes / write.low if write.low else None
    estimate = MedianEstimate(write.n, memory_bytes / median_of(write), low, high, None, None)
    return quantity_of_estimate(DUMP, estimate)


def _saturation(curves: Sequence[Curve]) -> Answer | None:
    """Of each part that was measured with several rank counts."""
    found = [(curve, *_point(curve)) for curve in curves if len(curve.rows) > 1]
    if not found:
        return None
    values = tuple((curve.where, value) for curve, value, _, _ in found)
    certainty = max((one for _, _, one, _ in found), key=WORST.index)
    cases = frozenset[str]().union(*(some for _, _, _, some in found))
    return _answer("saturation", Several(values), certainty, cases)


def _point(curve: Curve) -> tuple[Threshold | None, Certainty, frozenset[str]]:
    """From how many ranks on more bring no more, as far as that is known, and whose samples would tell."""
    found = curve.saturation()
    if found is None:
        return None, Certainty.OPEN, frozenset()
    cases = frozenset(row.case for row in found.deciding)
    at = str(found.first.ranks)
    if found.still_rising:
        return Threshold("ranks", at, rising=True), Certainty.SURE, frozenset()
    if found.settled:
        return Threshold("ranks", at), Certainty.SURE, frozenset()
    if found.found.near:
        return Threshold("ranks", at), Certainty.WITHIN, cases
    if found.found.unknown:
        return None, Certainty.OPEN, cases
    up_to = str(found.last.ranks)
    return Threshold("ranks", at, "" if up_to == at else up_to), Certainty.WITHIN, cases


def _numbers(rows: Sequence[Row], curves: Sequence[Curve]) -> Iterator[Number]:
    """Every point of the curves, with its share of the best."""
    for curve in curves:
        best = max(median_of(row) for row in curve.rows)
        for row in curve.rows:
            share = median_of(row) / best if best else 0
            remark = "best" if share == 1 else f"{100 * share:.0f} % of the best"
            where = (curve.part, curve.name, str(row.ranks))
            yield Number(where, quantity_of(row), remark if len(curve.rows) > 1 else "")
    if hpl := most_ranks(rows, "hpl", "hpl"):
        yield Number(("compute", "HPL", str(hpl.ranks)), quantity_of(hpl))


@figure(
    "whole-machine", judge_machine, "The machine", "What do its parts give, and how many ranks saturate each?"
)
def machine(rows: list[Row], card: Card) -> list[Panel]:
    """What the ranks of each test are worth together, over rank counts."""
    curves = [curve for curve in curves_of(rows) if len(curve.rows) > 1]
    return [panel_of(curves)] if curves else []
