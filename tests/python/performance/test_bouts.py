"""Who is launched when, with sides that are functions."""

from dataclasses import dataclass, field
from functools import partial

from peers.bouts import FEWEST_ROUNDS, Bout, Numbers, fight_all
from peers.launch import LaunchFailed

from weir.analyse.statistics import FEWEST_SAMPLES


@dataclass
class Sides:
    """Two sides that note who was called."""

    ours: float = 100.0
    theirs: float = 100.0
    repetitions: int = 3
    calls: list[str] = field(default_factory=list)

    def side(self, name: str) -> Numbers:
        self.calls.append(name)
        return {"write": [getattr(self, name)] * self.repetitions}

    def bout(self) -> Bout:
        ours, theirs = (partial(self.side, name) for name in ("ours", "theirs"))
        return Bout("case", ours, theirs, 0.97, phases={"write": "write"})


def failing() -> Numbers:
    raise LaunchFailed("no such interface")


def test_sides_take_turns_and_so_does_who_begins() -> None:
    sides = Sides()
    fight_all([sides.bout()], 1000.0)
    assert sides.calls == ["ours", "theirs", "theirs", "ours"] * (FEWEST_ROUNDS // 2)


def test_all_cases_have_a_round_before_any_has_two() -> None:
    first, second = Sides(), Sides()
    second.calls = first.calls
    bouts = [first.bout(), second.bout()]
    bouts[0].fight()
    assert first.calls == ["ours", "theirs"]
    fight_all(bouts, 1000.0)
    assert bouts[0].rounds == bouts[1].rounds == FEWEST_ROUNDS


def test_without_time_there_are_as_many_as_an_interval_needs() -> None:
    bout = Sides(ours=96.9, repetitions=1).bout()
    fight_all([bout], 0.0)
    assert bout.rounds == FEWEST_SAMPLES
    assert bout.comparisons()["write"].ratio.low is not None


def test_what_the_other_side_cannot_do_is_skipped_and_what_ours_cannot_is_failed() -> None:
    cleaned: list[str] = []
    sides = Sides()
    theirs_fails, ours_fails = sides.bout(), sides.bout()
    theirs_fails.theirs, ours_fails.ours = failing, failing
    theirs_fails.cleanup = lambda: cleaned.append("theirs")
    fight_all([theirs_fails, ours_fails], 1000.0)
    assert (theirs_fails.skipped, theirs_fails.failed) == ("no such interface", "")
    assert (ours_fails.skipped, ours_fails.failed) == ("", "no such interface")
    assert theirs_fails.rounds == ours_fails.rounds == 1 and cleaned == ["theirs"]


def test_a_side_without_a_number_has_failed() -> None:
    bout = Sides().bout()
    bout.phases = {"write": "write", "read": "read"}
    fight_all([bout], 1000.0)
    assert bout.failed == "it gave no number for 'read'"
