"""The first screen of a replay."""

from pathlib import Path
from typing import Any

from end_to_end.patterns import closing, opening, phase
from end_to_end.patterns import pattern as small
from mimic.made import nest, typed
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.answers.answer import Certainty, Quantity
from weir.answers.words import title_of
from weir.replay.first_screen import first_screen
from weir.replay.outcomes import PhaseOutcome
from weir.replay.prepare import Prepared, ReplayRequest

REQUEST = ReplayRequest(Path("/x/step.json"), backend="mpiio")
PREPARED = Prepared(
    typed(small(phase("dump", opening("create"), nest(ranks=2, length=4096), closing()), ranks=2)),
    made_first=(),
    preparing=None,
    computes=False,
    dropped_gaps=False,
    checks=True,
)


def estimate(*values: float) -> MedianEstimate:
    found = estimate_median(list(values))
    assert found
    return found


def outcome(name: str, *rates: float, **more: Any) -> PhaseOutcome:
    known = {"wrong_words": 0, "cache_suspect": False} | more
    return PhaseOutcome(
        name, 8, 1, estimate(*rates or [1.0] * 6), estimate(*rates) if rates else None, **known
    )


def test_phases_that_moved_bytes_come_first_and_others_have_their_time() -> None:
    screen = first_screen(REQUEST, PREPARED, [outcome("open"), outcome("dump", *[1e6] * 6)])
    assert screen.place == ("replay of step.json through mpiio", "2 ranks")
    assert [title_of(one) for one in screen.rows] == ["dump", "open"]
    units = [one.value.metric.unit for one in screen.rows if isinstance(one.value, Quantity)]
    assert units == ["B/s", "s"] and screen.caveats == ()


def test_what_makes_numbers_worth_less_is_told() -> None:
    found = [
        outcome("load", *[1e6] * 6, cache_suspect=True),
        outcome("dump", 1e6, wrong_words=3, warnings=("made one after the other",)),
    ]
    screen = first_screen(REQUEST, PREPARED, found)
    assert [one.certainty for one in screen.rows] == [Certainty.WITHIN, Certainty.OPEN]
    assert {one.code: one.count for one in screen.open_caveats} == {
        "wrong-words": 3,
        "few": 1,
        "phase-cached": 1,
        "replay-warnings": 1,
    }
