"""What a person sees first of a replay: the bandwidth of each phase, and whether the data were right."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from weir.analyse.metric import Metric
from weir.answers.answer import Answer, Caveat, Certainty, Changes
from weir.answers.quantities import certainty_of, quantity_of_estimate
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import CAVEATS, declare
from weir.replay.outcomes import PhaseOutcome
from weir.replay.prepare import Prepared, ReplayRequest
from weir.units import count_words

BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
TIME = Metric("elapsed_s", "s", "time", False)

declare(
    CAVEATS,
    {
        "wrong-words": "words that were read back wrong: {count}",
        "computing-kept": "times hold computing between requests: --gaps none omits it",
        "phase-cached": "phases with bytes from a cache: {count} of {of}",
        "replay-warnings": "warnings about phases, see --all: {count}",
    },
)


def first_screen(request: ReplayRequest, prepared: Prepared, found: Sequence[PhaseOutcome]) -> Screen:
    """That of a replay; pure. Phases stand in the order of the pattern, those that moved bytes first."""
    rows, others = chosen_rows([_answer(phase) for phase in found])
    place = (
        f"replay of {PurePath(request.pattern).name} through {request.backend}",
        count_words(prepared.ranks, "rank"),
    )
    caveats = tuple(one for one in _caveats(prepared, found) if one.count)
    return Screen(place, rows, others, caveats, (), "no phase was carried out")


def _answer(phase: PhaseOutcome) -> Answer:
    value = (
        quantity_of_estimate(BANDWIDTH, phase.bandwidth)
        if phase.bandwidth
        else quantity_of_estimate(TIME, phase.time)
    )
    certainty = certainty_of(value)
    action = "more-samples" if certainty is Certainty.OPEN else ""
    if certainty is Certainty.SURE and phase.cache_suspect:
        certainty = Certainty.WITHIN
    return Answer("quantity", (phase.name,), value, certainty, action, weight=float(bool(phase.bandwidth)))


def _caveats(prepared: Prepared, found: Sequence[PhaseOutcome]) -> Iterator[Caveat]:
    wrong = sum(phase.wrong_words or 0 for phase in found)
    yield Caveat("wrong-words", wrong, wrong, Changes.VERDICT)
    none = sum(phase.time.low is None for phase in found)
    yield Caveat("few", none, len(found), Changes.VERDICT)
    cached = sum(phase.cache_suspect for phase in found)
    yield Caveat("phase-cached", cached, len(found), Changes.VERDICT)
    yield Caveat("inexact-pattern", len(prepared.pattern.inexact), 1, Changes.VERDICT)
    yield Caveat("replay-warnings", sum(len(phase.warnings) for phase in found), len(found), Changes.VERDICT)
    yield Caveat("computing-kept", int(prepared.computes), 1, Changes.VERDICT)
