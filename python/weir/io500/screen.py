"""What a person sees first of a run among the submissions to IO500."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Caveat, Certainty, Changes, Count
from weir.answers.quantities import certainty_of, quantity_of
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import ACTIONS, CAVEATS, TITLES, declare
from weir.io500.likeness import LACKING
from weir.io500.standing import Standing, Standings
from weir.machine.describe import Fact
from weir.results.words import capital
from weir.units import count_words

declare(TITLES, {"faster-than": "{subject}, faster than"})
declare(
    ACTIONS,
    {
        "per-node": "per node than {below} of {of}",
        "nodes-unknown": "nodes unknown: not per node",
    },
)
declare(
    CAVEATS,
    {
        "short-phases": "phases shorter than the 300 s of IO500: {count} of {of}",
        "others-once": "numbers of others: one run each, no interval",
        "no-like": "phases not comparable: {count} of {of}",
        "no-background": "files of the folder that are no submission: {count}",
    },
)
WEIGHT = 10.0


def standing_screen(found: Standings) -> Screen:
    """That of standings; pure."""
    rows, others = chosen_rows([_answer(one) for one in found.phases])
    return Screen(
        place=tuple(_place(found)),
        rows=rows,
        others=others,
        caveats=tuple(one for one in _caveats(found) if one.count),
        machine=tuple(_facts(found)),
        nothing="no phase is comparable",
    )


def _place(found: Standings) -> Iterator[str]:
    yield f"{found.name} among {count_words(found.submissions, 'submission')} to IO500"
    if found.nodes:
        yield count_words(found.nodes, "node")


def _answer(one: Standing) -> Answer:
    each = one.per_node
    certainty = certainty_of(quantity_of(one.like.row))
    return Answer(
        "faster-than",
        (f"{capital(one.phase.title)} {one.like.row.metric.words(one.like.row.median or 0)}",),
        Count(one.place.below, one.place.of),
        Certainty.WITHIN if one.like.apart and certainty is Certainty.SURE else certainty,
        action="per-node" if each else "nodes-unknown",
        words={"below": f"{each.below:,}", "of": f"{each.of:,}"} if each else {},
        weight=WEIGHT,
        figure="phases",
    )


def _caveats(found: Standings) -> Iterator[Caveat]:
    phases = len(found.phases)
    short = sum("short" in one.like.apart for one in found.phases)
    yield Caveat("short-phases", short, phases, Changes.VERDICT)
    yield Caveat("no-like", len(found.lacking), phases + len(found.lacking))
    yield Caveat("others-once", found.submissions, found.submissions)
    yield Caveat("no-background", found.unread, found.unread + found.submissions)


def _facts(found: Standings) -> Iterator[Fact]:
    for phase, why in found.lacking[:6]:
        yield Fact(phase.title, LACKING[why])
