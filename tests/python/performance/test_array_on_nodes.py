"""Goals of dumps on several nodes. Seconds are made up."""

from pathlib import Path

from array_on_nodes import goals_of
from peers.array.cases import Case, Place
from peers.array.contenders import Contender
from peers.array.rounds import OPERATIONS, Played, Sample
from peers.compare import Verdict

CONTENDERS = [
    Contender("weir", "", "ours"),
    Contender("romio", "", "public", "romio"),
    Contender("ompio", "", "default", "ompio"),
]


def played(ours_s: float, romio_s: float) -> Played:
    seconds = {"weir": ours_s, "romio": romio_s, "ompio": 9.0}
    samples = [
        Sample(name, operation, number, took_s, {})
        for name, took_s in seconds.items()
        for operation in OPERATIONS
        for number in range(1, 8)
    ]
    return Played(Case(256, 8, "2x2x2", Place("4 nodes", Path("/shared"), False)), CONTENDERS, samples)


def verdicts(ours_s: float, romio_s: float) -> dict[tuple[str, str], Verdict]:
    return {(one.operation, one.goal): one.verdict for one in goals_of(played(ours_s, romio_s))}


def test_the_best_public_contender_is_to_be_beaten_by_half_and_never_to_win() -> None:
    least, goal = "0.95 times the best public (romio)", "1.5 times the best public (romio)"
    for ours_s, of_least, of_goal in (
        (1.0, Verdict.MET, Verdict.MET),
        (1.5, Verdict.MET, Verdict.MISSED),
        (2.2, Verdict.MISSED, Verdict.MISSED),
    ):
        found = verdicts(ours_s, 1.6)
        assert found == {
            (operation, name): verdict
            for operation in OPERATIONS
            for name, verdict in ((least, of_least), (goal, of_goal))
        }


def test_without_a_public_contender_nothing_is_judged() -> None:
    alone = played(1.0, 2.0)
    alone.failed.update({"romio": "it hung", "ompio": "it hung"})
    assert list(goals_of(alone)) == []
