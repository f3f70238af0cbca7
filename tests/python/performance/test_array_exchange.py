"""The sweep over routes of the exchange: cases, turns and ratios. Ranks are made up."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from peers.array.cases import Case, Place
from peers.array.contenders import Contender
from peers.array.exchange import NAMES, in_a_row, play_in_a_row, quicker_route, ratios, sweep
from peers.compare import Verdict
from peers.launch import LaunchFailed

PLACE = Place("/dev/shm", Path("/dev/shm/x"), cached=True)
CONTENDERS = [Contender(name, "", "variant") for name in NAMES]


@dataclass
class Ranks:
    """Ranks that take as long as they are told to, and note what they were asked."""

    seconds: dict[str, float]
    failing: str = ""
    asked: list[str] = field(default_factory=list)

    def ask(self, verb: str, contender: str, path: Path) -> dict[str, Any]:
        self.asked.append(verb)
        if contender == self.failing:
            raise LaunchFailed("it is not there")
        return {} if verb == "verify" else {"seconds": self.seconds[contender], "steps_s": {}}


SECONDS = {"weir": 1.2, "weir-shared": 1.2, "weir-messages": 1.0, "romio": 3.0, "weir-beside": 1.2}


def verdicts(seconds: dict[str, float], edge: int = 32, failing: str = "") -> dict[str, Verdict | None]:
    ranks = Ranks(seconds, failing)
    played = play_in_a_row(Case(edge, 4, "2x2x1", PLACE), CONTENDERS, dict.fromkeys(NAMES, ranks), 9)
    return {one.beside: one.verdict for one in ratios([played]) if one.operation == "write"}


def test_every_rank_has_a_part() -> None:
    cases = [(case.edge, case.grid) for case in sweep([8, 32], [4, 16], PLACE)]
    assert (8, "2x2x1") in cases and (8, "1x1x4") in cases and (32, "16x1x1") in cases
    assert (8, "16x1x1") not in cases


def test_small_dumps_are_timed_in_a_row() -> None:
    assert in_a_row(Case(8, 2, "2x1x1", PLACE)) == 200
    assert in_a_row(Case(512, 2, "2x1x1", PLACE)) == 1
    ranks = Ranks(SECONDS)
    play_in_a_row(Case(8, 2, "2x1x1", PLACE), CONTENDERS, dict.fromkeys(NAMES, ranks), 2)
    assert ranks.asked[:5] == ["verify"] * 5
    assert ranks.asked[5:7] == ["writes=200", "reads=200"]


def test_the_planner_is_held_against_the_quicker_route() -> None:
    found = verdicts(SECONDS)
    assert found == {"weir-messages": Verdict.MISSED, "romio": Verdict.MET, "weir-beside": Verdict.MET}
    assert verdicts(SECONDS | {"weir": 1.0})["weir-messages"] is Verdict.MET


def test_large_dumps_need_only_be_as_quick_as_the_routes() -> None:
    assert verdicts(SECONDS | {"romio": 1.0}, edge=128)["romio"] is None
    assert verdicts(SECONDS | {"romio": 1.0})["romio"] is Verdict.MISSED


def test_what_failed_is_left_out() -> None:
    found = verdicts(SECONDS, failing="romio")
    assert "romio" not in found and len(found) == 2
    played = play_in_a_row(
        Case(8, 4, "2x2x1", PLACE), CONTENDERS, dict.fromkeys(NAMES, Ranks(SECONDS, "weir-shared")), 7
    )
    assert played.failed == {"weir-shared": "it is not there"}
    assert quicker_route([played], "read") == "weir-messages"


def test_of_several_launches_each_is_a_sample() -> None:
    """One launch in which everything of ours is slow says little, however often it is repeated."""
    case = Case(32, 4, "2x2x1", PLACE)
    slow = dict.fromkeys(NAMES, Ranks(SECONDS))
    quick = dict.fromkeys(NAMES, Ranks(SECONDS | {"weir": 1.0}))
    launches = [play_in_a_row(case, CONTENDERS, servers, 9) for servers in (slow, *[quick] * 6)]
    (found,) = (one for one in ratios(launches) if (one.operation, one.beside) == ("write", "weir-messages"))
    assert found.value.count == 7 and found.value.median == 1.0 and found.verdict is Verdict.MET
    (few,) = (
        one for one in ratios(launches[:2]) if (one.operation, one.beside) == ("write", "weir-messages")
    )
    assert few.verdict is Verdict.FEW
