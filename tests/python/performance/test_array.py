"""Dumps beside each other: who is asked when, and what is made of the answers. Ranks are made up."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from peers.array.cases import Case, Place, all_cases, by_ranks
from peers.array.contenders import Contender, by_launch, read_list
from peers.array.goals import judge_all, judge_most, missed
from peers.array.rounds import OPERATIONS, Played, Rules, order, play
from peers.array.show import append_samples, show_case, show_goals
from peers.busy import busy_ticks
from peers.compare import Verdict
from peers.launch import LaunchFailed

from weir.analyse.statistics import estimate_median

CASE = Case(256, 8, "2x2x2", Place("/dev/shm", Path("/dev/shm/x"), cached=True))
CONTENDERS = [
    Contender("bound", "", "bound"),
    Contender("weir", "", "ours"),
    Contender("weir-bounded", "", "bounded"),
    Contender("romio", "", "public", "romio"),
    Contender("ompio", "", "default", "ompio"),
]
SECONDS = {"bound": 0.9, "weir": 1.0, "weir-bounded": 1.2, "romio": 3.5, "ompio": 7.0}


@dataclass
class Ranks:
    """Ranks that take as long as they are told to, and note what they were asked."""

    seconds: dict[str, float] = field(default_factory=lambda: SECONDS)
    failing: str = ""
    outside: float = 0.001
    asked: list[tuple[str, str]] = field(default_factory=list)

    def ask(self, verb: str, contender: str, path: Path) -> dict[str, Any]:
        self.asked.append((verb, contender))
        if contender == self.failing and verb == "read":
            raise LaunchFailed("element 3 in memory is 0, not 4")
        if verb == "verify":
            bound = 1000 if contender == "weir-bounded" else 0
            return {"verified": True, "memory_growth_bytes": 1040, "memory_bound_bytes": bound}
        steps = {"weir": {"total": 1.0, "other": self.outside}, "bound": {"storage": 0.5}}
        return {"seconds": self.seconds[contender], "steps_s": steps.get(contender, {})}


def played(ranks: Ranks, rounds: int = 7, case: Case = CASE, overwrite: bool = False) -> Played:
    rules = Rules(rounds, case.place.directory, overwrite)
    return play(case, CONTENDERS, dict.fromkeys(SECONDS, ranks), rules)


def verdicts(found: Played) -> dict[tuple[str, str], Verdict]:
    return {(one.operation, one.goal): one.verdict for one in judge_all(found)}


def test_each_is_verified_before_any_is_measured_and_reads_what_it_wrote() -> None:
    ranks = Ranks()
    found = played(ranks, rounds=2)
    names = list(SECONDS)
    assert ranks.asked[: len(names)] == [("verify", name) for name in names]
    measured = ranks.asked[len(names) :]
    assert [verb for verb, _ in measured] == list(OPERATIONS) * 2 * len(names)
    assert all(measured[i][1] == measured[i + 1][1] for i in range(0, len(measured), 2))
    assert found.seconds("romio", "read") == [3.5, 3.5]


def test_what_is_overwritten_is_each_ones_own_file() -> None:
    ranks = Ranks()
    found = played(ranks, rounds=1, overwrite=True)
    verbs = [verb for verb, name in ranks.asked if name == "romio"]
    assert verbs == ["verify", "overwrite", "read"] and len(found.seconds("romio", "write")) == 1
    rules = Rules(1, Path("/x"), overwrite=True)
    assert rules.path("romio") == Path("/x/romio") != rules.path("weir")
    assert Rules(1, Path("/x")).path("romio") == Rules(1, Path("/x")).path("weir")


def test_everybody_begins_in_turn_and_does_not_always_follow_the_same() -> None:
    rounds = [[one.name for one in order(CONTENDERS, number)] for number in range(len(CONTENDERS))]
    assert all(sorted(names) == sorted(SECONDS) for names in rounds)
    before_ompio = {names[names.index("ompio") - 1] for names in rounds if names[0] != "ompio"}
    assert len(before_ompio) > 1


def test_goals_are_met_where_the_times_say_so() -> None:
    found = verdicts(played(Ranks()))
    assert set(found.values()) == {Verdict.MET}
    assert ("write", "2 times the best public (romio)") in found
    assert ("read", "6 times the default (ompio)") in found
    assert ("write", "within 1.3 times the bound (bound)") in found
    assert ("memory", "within 1.05 of the memory asked for (weir-bounded)") in found


@pytest.mark.parametrize(
    ("slow", "missed_goal"),
    [
        ({"romio": 2.9}, ("read", "3 times the best public (romio)")),
        ({"ompio": 5.0}, ("read", "6 times the default (ompio)")),
        ({"bound": 0.7}, ("write", "within 1.3 times the bound (bound)")),
        ({"romio": 0.9}, ("write", "0.95 of the best public (romio)")),
    ],
)
def test_goals_are_missed_where_the_times_say_so(
    slow: dict[str, float], missed_goal: tuple[str, str]
) -> None:
    found = played(Ranks({**SECONDS, **slow}))
    assert verdicts(found)[missed_goal] is Verdict.MISSED and missed(judge_all(found))


def test_where_a_device_decides_a_dump_need_only_not_be_slower() -> None:
    disk = Case(256, 8, "2x2x2", Place("disk", Path("/x"), cached=False))
    goals = {goal for operation, goal in verdicts(played(Ranks(), case=disk)) if operation == "write"}
    assert not any("times the best" in goal or "default" in goal for goal in goals)
    assert ("read", "3 times the best public (romio)") in verdicts(played(Ranks(), case=disk))


def test_time_outside_the_steps_is_judged() -> None:
    assert verdicts(played(Ranks(outside=0.02)))["write", "under 1 % outside the steps"] is Verdict.MISSED


def test_what_no_library_could_reach_is_told() -> None:
    alone = {(one.operation, one.goal): one.storage_alone for one in judge_all(played(Ranks()))}
    best = alone["read", "3 times the best public (romio)"]
    assert best is not None and best.median == 7.0, "a part a rank alone takes 0.5 s"
    assert alone["write", "under 1 % outside the steps"] is None


def test_few_rounds_are_no_verdict() -> None:
    assert verdicts(played(Ranks(), rounds=5))["write", "2 times the best public (romio)"] is Verdict.FEW


def test_who_fails_is_out_and_is_not_asked_again() -> None:
    ranks = Ranks(failing="romio")
    found = played(ranks)
    assert found.failed == {"romio": "element 3 in memory is 0, not 4"}
    assert found.seconds("romio", "write") == [] and len(found.seconds("weir", "write")) == 7
    assert ranks.asked.count(("write", "romio")) == 1
    assert ("write", "2 times the best public (ompio)") in verdicts(found)


def test_at_most_is_at_least_turned_round() -> None:
    estimate = estimate_median([0.009, 0.011, 0.010, 0.012, 0.008, 0.0095])
    assert estimate is not None
    assert judge_most(estimate, 0.02) is Verdict.MET
    assert judge_most(estimate, 0.009) is Verdict.UNSHOWN
    assert judge_most(estimate, 0.005) is Verdict.MISSED


def test_everything_is_shown_and_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = played(Ranks(failing="ompio"))
    show_case(found)
    show_goals(judge_all(found))
    append_samples(tmp_path / "samples.jsonl", found)
    said = capsys.readouterr().out
    assert "256^3 8 ranks 2x2x2 /dev/shm" in said and "ompio FAILED: element 3" in said
    assert "2 times the best public (romio)" in said and "storage alone" in said
    lines = (tmp_path / "samples.jsonl").read_text().splitlines()
    assert len(lines) == 4 * 7 * 2 + 2 and '"kind": "failure"' in lines[-2]


def test_contenders_of_the_same_settings_share_ranks() -> None:
    entry = {"summary": "", "role": "public", "environment": {}}
    told = [{**entry, "name": name, "mpi_io": io} for name, io in [("b", "romio"), ("a", "romio"), ("c", "")]]
    told.append({**entry, "name": "tuned", "mpi_io": "romio", "environment": {"OMPI_MCA_x": "1"}})
    contenders, left_out = read_list({"contenders": told, "left_out": {"hdf5": "there is none"}})
    assert [[one.name for one in group] for group in by_launch(contenders)] == [["a", "b"], ["c"], ["tuned"]]
    assert left_out == {"hdf5": "there is none"}


def test_every_grid_is_dumped_to_every_place() -> None:
    places = [Place("disk", Path("/x"), cached=False), Place("/dev/shm", Path("/dev/shm/x"), cached=True)]
    cases = all_cases(512, (2, 8, 3), places)
    assert len(cases) == 2 * (1 + 3 + 2)
    assert [len(group) for group in by_ranks(cases)] == [2] * 6
    assert cases[0].program(Path("p")) == ("p", "--edge", "512", "--grid", "2", "1", "1")
    assert cases[0].name == "512^3 2 ranks 2x1x1 disk"


def test_waiting_is_not_being_busy() -> None:
    assert busy_ticks("cpu  10 1 5 1000 200 2 3 7 0 0\ncpu0 1 1 1\n") == 10 + 1 + 5 + 2 + 3
