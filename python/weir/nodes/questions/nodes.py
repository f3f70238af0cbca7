"""Which of the nodes, each measured by itself, differ from the rest: a strip of dots for each measurement."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from weir.analyse.outlying import FEWEST
from weir.answers.answer import Answer, Certainty, Count, Deviation, Number, Ratio
from weir.answers.tables import ACTIONS, declare
from weir.figures.figure import Card, Finding, Panel
from weir.measure.stopping_rule import Verdict
from weir.nodes.picture import strips
from weir.nodes.standing import MATTERS, Family, Standing, families, is_judged
from weir.questions.question import figure
from weir.results.quantity_words import interval_words
from weir.results.row import Row
from weir.results.words import join_words
from weir.units import format_share

CONDITIONS = (
    "Each node is compared with the others of its kind, by its median speed; of times, by their inverse. "
    f"Named is what surely differs, and by {format_share(MATTERS)} or more. In studies of healthy nodes any "
    "is named as slower in 5 % at most, all nodes and measurements together."
)
declare(
    ACTIONS,
    {
        "two-kinds": "compared within each kind",
        "not-measured": "the table says why",
        "seen-from": "a node slower than that is named",
    },
)
ENOUGH = 0.25
"""What is not seen unless it is more leaves a question within a range."""
NAMED, FOUND, KINDS, MISSING, PERHAPS, SEEN = 60.0, 50.0, 45.0, 40.0, 30.0, 10.0
"""Weights: nodes that are ill come first."""
MOST_LETTERS, MOST_SHOWN = 90, 3
_LAST_LINES = re.compile(r"its last lines?: ([^|)]+)")


def judge_nodes(rows: list[Row], card: Card) -> Finding | None:
    """Which nodes are ill; null where no row is of a node by itself."""
    own = [row for row in rows if row.node]
    if not own:
        return None
    found = families(own)
    missing = _missing(own)
    return Finding(
        answers=(
            *_named(found),
            _how_many(found, own),
            *_kinds(found),
            *_not_measured(missing, len({row.node for row in own})),
            *_perhaps(found),
            *_seen_from(found),
        ),
        columns=("of", "node", "measured"),
        numbers=(*_numbers(found), *missing),
        conditions=CONDITIONS,
    )


def _deviation(one: Standing) -> Deviation:
    return Deviation(one.share, one.low, one.high, one.row.n)


def _named(found: Sequence[Family]) -> Iterator[Answer]:
    """An answer a node that is ill: what it differs most in, and in how much else."""
    worst: dict[str, tuple[Family, Standing]] = {}
    others: dict[str, int] = {}
    for family in found:
        for one in family.named:
            if one.slower:
                others[one.node] = others.get(one.node, -1) + 1
                if one.node not in worst or one.share < worst[one.node][1].share:
                    worst[one.node] = family, one
    for node, (family, one) in sorted(worst.items(), key=lambda pair: pair[1][1].share):
        more = f" and {others[node]} more" if others[node] else ""
        yield Answer(
            "",
            (family.name + more,),
            _deviation(one),
            title=f"Node {node} is slower: {{subject}}",
            weight=NAMED - one.share,
            leads=True,
        )


def _how_many(found: Sequence[Family], rows: Sequence[Row]) -> Answer:
    """The answer to the question: sure where a node that is a quarter slower would be named."""
    nodes = {row.node for row in rows}
    ill = {one.node for family in found for one in family.named if one.slower}
    known = [family for family in found if family.seen_from is not None]
    what = Answer("", (), Count(len(ill), len(nodes)), title="Ill nodes", weight=FOUND, leads=True)
    if not known:
        few = len(nodes - {row.node for row in rows if row.verdict == Verdict.FAILED}) < FEWEST
        return replace(
            what, value=None, certainty=Certainty.OPEN, action="more-nodes" if few else "more-samples"
        )
    wide = [family for family in found if family.seen_from is None or family.seen_from > ENOUGH]
    measured = {one.node for family in found for one in family.standings}
    if not wide and measured == nodes:
        return what
    cases = frozenset(one.row.case for family in wide for one in family.standings)
    return replace(what, certainty=Certainty.WITHIN, open_cases=cases)


def _kinds(found: Sequence[Family]) -> Iterator[Answer]:
    for family in found:
        if family.kinds:
            times, low, high = family.kinds
            value = Ratio(times, low, high, len(family.standings), unit="times as fast")
            title = "Two kinds of nodes: {subject}"
            yield Answer("", (family.name,), value, action="two-kinds", title=title, weight=KINDS)


def _not_measured(missing: Sequence[Number], among: int) -> Iterator[Answer]:
    """One for all nodes of which something was not."""
    nodes = [*dict.fromkeys(one.subject[1] for one in missing)]
    if nodes:
        shown = [
            *nodes[:MOST_SHOWN],
            *([f"{len(nodes) - MOST_SHOWN} more"] if len(nodes) > MOST_SHOWN else []),
        ]
        yield Answer(
            "",
            (join_words(shown),),
            Count(len(nodes), among),
            Certainty.OPEN,
            "not-measured",
            title="Not measured, or not enough: {subject}",
            weight=MISSING,
            decides=False,
        )


def _perhaps(found: Sequence[Family]) -> Iterator[Answer]:
    """Of measurements in which few nodes tell little: the slowest that may be ill."""
    for family in found:
        doubtful = [one for one in family.standings if one.apart and one.share < 0 and not one.named]
        if doubtful and (family.seen_from is None or -min(one.share for one in doubtful) < family.seen_from):
            one = min(doubtful, key=lambda one: one.share)
            yield Answer(
                "",
                (family.name,),
                _deviation(one),
                Certainty.OPEN,
                "more-nodes",
                title=f"Node {one.node} may be slower: {{subject}}",
                weight=PERHAPS - one.share,
                decides=False,
            )


def _seen_from(found: Sequence[Family]) -> Iterator[Answer]:
    """From where on a node is named, of each measurement."""
    for family in found:
        if family.seen_from is not None:
            certainty = Certainty.SURE if family.seen_from <= ENOUGH else Certainty.WITHIN
            count = len(family.standings)
            yield Answer(
                "",
                (family.name,),
                Deviation(-family.seen_from, None, None, count, bound=True),
                certainty,
                "seen-from",
                title="A slow node shows from: {subject}",
                weight=SEEN,
                decides=False,
            )


def _numbers(found: Sequence[Family]) -> Iterator[Number]:
    """Each node in each measurement, those that differ first."""
    for family in found:
        for one in sorted(family.standings, key=lambda one: (not one.named, one.share)):
            subject = (family.name, one.node, interval_words(one.row))
            yield Number(subject, _deviation(one) if one.low is not None else None, _remark(one))


def _remark(one: Standing) -> str:
    kind = {1: "of the slower kind", 2: "of the faster kind"}.get(one.kind, "")
    named = ("slower" if one.slower else "faster") if one.named else ""
    return ", ".join(filter(None, [named, kind]))


def _missing(rows: Sequence[Row]) -> list[Number]:
    """What was not measured, and why."""
    return [
        Number(
            (
                " ".join([*row.comparisons[:1], *([row.phase] if row.n else [])]),
                row.node or "",
                interval_words(row) if row.n else "not measured",
            ),
            None,
            _reason(row.verdict_why or "no sample was taken"),
        )
        for row in rows
        if not is_judged(row)
    ]


def _reason(why: str) -> str:
    """The first thing that the launch said, where it died; else all, in few words."""
    said = _LAST_LINES.search(why)
    return textwrap.shorten(said[1] if said else why, MOST_LETTERS, placeholder=" …")


@figure("nodes", judge_nodes, "Nodes", "Which node is ill?")
def nodes(rows: list[Row], card: Card) -> list[Panel]:
    """A strip for each measurement, in which each node is a dot."""
    return [Panel("", strips(families([row for row in rows if row.node])))]
