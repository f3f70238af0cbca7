"""The matrix of links between nodes, or ranks: a heat map, and the links and nodes that are slow."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.answers.answer import Answer, Certainty, Count, Number, Quantity, Ratio, Value
from weir.answers.quantities import quantity_from
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.figures.heat_map import Cell, heat_map
from weir.network.links import SLOW, LinkMatrix, LinkVerdict, Pair, Slow, judge, matrix_of
from weir.questions.question import figure
from weir.results.row import Row, measured
from weir.results.words import capital, join_words, label_by
from weir.units import count_words, format_bytes

MOST_NAMED = 10
PHASES = ("latency", "bandwidth")
CONDITIONS = (
    "A pair's time is half a round trip, the median of several passes. Slow: surely above "
    f"{SLOW} times the median of the pairs at its distance, and far outside their range; of a node, three "
    "quarters of its links."
)


@dataclass(frozen=True)
class _Links:
    """One phase of one case: what was measured, and what it says."""

    row: Row
    matrix: LinkMatrix
    verdict: LinkVerdict

    @property
    def number(self) -> int:
        """Of slow links and nodes."""
        return len(self.verdict.pairs) + len(self.verdict.nodes)

    def value(self, time_s: float) -> float:
        """A pair's number in the unit of the row's metric: its latency, or its bandwidth."""
        return self.matrix.message_bytes / time_s if self.row.metric.is_bandwidth else time_s * 1e6

    def quantity(self, pair: Pair) -> Quantity:
        """That number over the samples that have the pair."""
        samples = [sample[pair] for sample in self.matrix.samples if pair in sample]
        return quantity_from(self.row.metric, [self.value(one) for one in samples])


def _links(rows: Sequence[Row]) -> list[_Links]:
    found = []
    for row in measured(rows):
        if row.phase in PHASES and (matrix := matrix_of(row.records)):
            found.append(_Links(row, matrix, judge(matrix)))
    return found


def judge_links(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Which links and nodes are slow, by latency and by bandwidth; null without a matrix."""
    found = _links(rows)
    if not found:
        return None
    name = label_by([one.row for one in found], {"phase"})
    return Finding(
        conditions=CONDITIONS,
        answers=(*(_answer(one, name(one.row)) for one in found), *_slowest(found)),
        columns=("of", "link", "distance"),
        numbers=tuple(
            Number((_phase(one, name(one.row)), link, distance), value, remark)
            for one in found
            for link, distance, value, remark in _numbers(one)
        ),
    )


def _answer(one: _Links, name: str) -> Answer:
    """How many links and nodes are slow."""
    what = Answer("", (one.row.phase, name) if name else (one.row.phase,))
    if not one.verdict.judged:
        few = one.row.n < FEWEST_SAMPLES
        return replace(
            what,
            certainty=Certainty.OPEN,
            action="more-samples" if few else "more-nodes",
            open_cases=frozenset({one.row.case}) if few else frozenset(),
        )
    found = Count(one.number, len(one.matrix.pairs))
    return replace(what, value=found, action="look" if one.number else "", weight=1.0 if one.number else 0.05)


def _slowest(found: Sequence[_Links]) -> Iterator[Answer]:
    """Of the phase that finds most, the slowest node, or else the slowest link."""
    most = max(found, key=lambda one: one.number)
    for slow in (*most.verdict.nodes, *most.verdict.pairs)[:1]:
        title = "Slowest link" if len(slow.members) > 1 else f"Slowest {_member(most.matrix)}"
        subject = (_name(most.matrix, slow.members), most.row.phase)
        yield Answer("", subject, _times(slow), title=title, weight=1.0, decides=False)


def _phase(one: _Links, name: str) -> str:
    return ", ".join(filter(None, [one.row.phase, format_bytes(one.matrix.message_bytes), name]))


def _numbers(one: _Links) -> Iterator[tuple[str, str, Value, str]]:
    """The slow nodes and links, those apart, how many pairs were measured, and of each distance the median,
    the best and the worst pair: link, distance, value, remark."""
    matrix, verdict = one.matrix, one.verdict
    member = _member(matrix)
    for remark, some in ((f"slow {member}", verdict.nodes), ("slow link", verdict.pairs)):
        for slow in some[:MOST_NAMED]:
            yield _name(matrix, slow.members), "", _times(slow), remark
    for slow in verdict.pairs[:MOST_NAMED]:
        pair = (slow.members[0], slow.members[1])
        yield _name(matrix, pair), matrix.distances[pair].words, one.quantity(pair), "slow link"
    if verdict.apart:
        names = join_words(matrix.names[node] for node in verdict.apart[:MOST_NAMED])
        yield names, "", Count(len(verdict.apart), len(matrix.names)), "far from all others"
    yield (
        count_words(len(matrix.names), member),
        "",
        Count(len(matrix.pairs), matrix.all_pairs),
        "pairs measured",
    )
    for distance in sorted(set(matrix.distances.values())):
        pairs = [pair for pair, own in matrix.distances.items() if own == distance]
        pairs.sort(key=lambda pair: matrix.estimate_s(pair).median)
        places = {0: "best", len(pairs) - 1: "worst", len(pairs) // 2: "median"}
        for at, remark in sorted(places.items()):
            said = f"{remark} of {count_words(len(pairs), 'pair')}"
            yield _name(matrix, pairs[at]), distance.words, one.quantity(pairs[at]), said


def _member(matrix: LinkMatrix) -> str:
    return "node" if matrix.of_nodes else "rank"


def _name(matrix: LinkMatrix, members: Sequence[int]) -> str:
    return " to ".join(matrix.names[member] for member in members)


def _times(slow: Slow) -> Ratio:
    found = slow.times
    return Ratio(found.median, found.low, found.high, found.count, "the time of others")


@figure("links", judge_links, "Slow links", "Which links and nodes are slow?")
def links(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a phase: a cell for each pair, those that are slow in a frame."""
    found = _links(rows)
    name = label_by([one.row for one in found], {"phase"})
    return [
        Panel(", ".join(filter(None, [capital(one.row.phase), name(one.row)])), _panel(one)) for one in found
    ]


def _panel(one: _Links) -> Spec:
    matrix, metric = one.matrix, one.row.metric
    slow_pairs = {slow.members for slow in one.verdict.pairs}
    slow_nodes = {member for slow in one.verdict.nodes for member in slow.members}
    cells = []
    for pair in matrix.pairs:
        value = one.value(matrix.estimate_s(pair).median) / metric.scale
        framed = pair in slow_pairs or not slow_nodes.isdisjoint(pair)
        cells.append(Cell(pair, float(f"{value:.4g}"), framed))
    title = f"{metric.noun} ({metric.shown_unit})"
    return heat_map(matrix.names, cells, title, great_is_slow=not metric.greater_is_better)
