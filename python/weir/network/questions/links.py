"""The matrix of links between nodes, or ranks: a heat map, and the links and nodes that are slow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES, MedianEstimate
from weir.answers.answer import Answer, Certainty, Count
from weir.figures.figure import MORE_SAMPLES, Asked, Card, Finding, Panel, Spec, State
from weir.figures.heat_map import Cell, heat_map
from weir.network.links import SLOW, LinkMatrix, LinkVerdict, Slow, judge, matrix_of
from weir.questions.question import figure
from weir.results.row import Row, measured
from weir.results.words import capital, join_words, label_by
from weir.units import count_words, format_bytes, significant

MOST_NAMED = 10
PHASES = {"latency": "latency", "bandwidth": "time of a message"}
CONDITIONS = (
    "A pair's time is half a round trip, the median of several passes over all pairs in each sample. A link "
    f"is called slow if it surely takes more than {SLOW} times the median of the pairs at its distance, and "
    "lies far outside their range; a node, if three quarters of its links do."
)
OVERSUBSCRIBED = "Ranks share cores, so that a pair's time depends on where the system runs them."


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

    def words(self, time_s: float) -> str:
        """The same for people."""
        return self.row.metric.words(self.value(time_s))


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
    sentences: list[str] = []
    for one in found:
        of_case = f" ({name(one.row)})" if name(one.row) else ""
        sentences.append(f"{capital(one.row.phase)}{of_case}: {_range_words(one)}.")
        sentences += _named(one)
        if one.verdict.why:
            sentences.append(f"Of {one.row.phase}{of_case} nothing can be told: {one.verdict.why}.")
    return Finding(
        _title(found),
        tuple(sentences),
        _conditions(found),
        asked=tuple(map(_asked, found)),
        answers=tuple(map(_answer, found)),
    )


def _answer(one: _Links) -> Answer:
    """How many links and nodes are slow."""
    what = Answer("", (one.row.phase,))
    if not one.verdict.judged:
        few = one.row.n < FEWEST_SAMPLES
        return replace(what, certainty=Certainty.OPEN, action="more-samples" if few else "")
    found = Count(one.number, len(one.matrix.pairs))
    return replace(what, value=found, action="look" if one.number else "", weight=1.0 if one.number else 0.05)


def _title(found: Sequence[_Links]) -> str:
    known = [one for one in found if one.verdict.judged]
    if not known:
        return f"Whether a link is slow cannot be told: {found[0].verdict.why}"
    most = max(known, key=lambda one: (one.number, len(one.matrix.pairs)))
    where = _counted(most.matrix)
    if not most.number:
        return f"No link and no {_member(most.matrix)} is slow: {where}"
    nodes, pairs = most.verdict.nodes, most.verdict.pairs
    links = count_words(len(pairs), "link is slow", "links are slow")
    said = (
        f"{links}, {'the slowest ' if len(pairs) > 1 else ''}{_name(most.matrix, pairs[0])}" if pairs else ""
    )
    if nodes:
        names = join_words(_name(most.matrix, slow) for slow in nodes[:MOST_NAMED])
        verb = "is slow with all its links" if len(nodes) == 1 else "are slow with all their links"
        more = f" ({said})" if said else ""
        said = f"{capital(_member(most.matrix))} {names} {verb}{more}"
    return f"{said}, {_times(most, (*nodes, *pairs)[0])}; {where}"


def _counted(matrix: LinkMatrix) -> str:
    """ "15 of 120 pairs of 16 nodes measured"."""
    members = count_words(len(matrix.names), _member(matrix))
    return f"{len(matrix.pairs):,} of {count_words(matrix.all_pairs, 'pair')} of {members} measured"


def _member(matrix: LinkMatrix) -> str:
    return "node" if matrix.of_nodes else "rank"


def _range_words(one: _Links) -> str:
    """The median, the least and the greatest of the pairs at each distance."""
    matrix = one.matrix
    parts = []
    for distance in sorted(set(matrix.distances.values())):
        pairs = [pair for pair, own in matrix.distances.items() if own == distance]
        values = sorted(matrix.estimate_s(pair).median for pair in pairs)
        ends = (0, -1) if not one.row.metric.greater_is_better else (-1, 0)
        middle, low, high = (one.words(values[at]) for at in (len(values) // 2, *ends))
        some = f", from {low} to {high}" if len(pairs) > 1 else ""
        parts.append(f"{count_words(len(pairs), 'pair')} {distance.words} {middle}{some}")
    samples = count_words(len(matrix.samples), "sample")
    return f"{'; '.join(parts)} ({format_bytes(matrix.message_bytes)}, n = {samples})"


def _named(one: _Links) -> list[str]:
    matrix, verdict = one.matrix, one.verdict
    said = []
    for what, some in ((f"Slow {_member(matrix)}", verdict.nodes), ("Slow link", verdict.pairs)):
        for slow in some[:MOST_NAMED]:
            own = "" if what != "Slow link" else f", {one.words(_own_s(matrix, slow))}"
            said.append(f"{what}: {_name(matrix, slow)}, {_times(one, slow)}{own}.")
        if len(some) > MOST_NAMED:
            said.append(f"{what}: {len(some) - MOST_NAMED:,} more.")
    if verdict.apart:
        names = join_words(matrix.names[node] for node in verdict.apart[:MOST_NAMED])
        said.append(
            f"{names} are far from all others and near to each other, as if on a switch of their "
            "own; none of them is called slow."
        )
    return said


def _name(matrix: LinkMatrix, slow: Slow) -> str:
    return " to ".join(matrix.names[member] for member in slow.members)


def _times(one: _Links, slow: Slow) -> str:
    """ "2.01 [1.95, 2.10] times the latency of other pairs"."""
    return f"{_estimate_words(slow.times)} times the {PHASES[one.row.phase]} of other pairs"


def _estimate_words(times: MedianEstimate) -> str:
    assert times.low is not None  # what is slow has an interval
    assert times.high is not None
    return f"{significant(times.median)} [{significant(times.low)}, {significant(times.high)}]"


def _own_s(matrix: LinkMatrix, slow: Slow) -> float:
    one, other = slow.members
    return matrix.estimate_s((one, other)).median


def _conditions(found: Sequence[_Links]) -> str:
    said = CONDITIONS
    sampled = [one.matrix for one in found if len(one.matrix.pairs) < one.matrix.all_pairs]
    if sampled:
        said += f" Of the pairs a random choice was measured: {_counted(sampled[0])}."
    if any("oversubscribed" in one.row.warnings for one in found):
        said += f" {OVERSUBSCRIBED}"
    return said


def _asked(one: _Links) -> Asked:
    if one.verdict.judged:
        return Asked(one.row.phase)
    few = one.row.n < FEWEST_SAMPLES
    wanting = MORE_SAMPLES if few else "it takes more nodes"
    return Asked(one.row.phase, State.OPEN, wanting, frozenset({one.row.case}) if few else frozenset())


@figure("links", judge_links)
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
