import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fakes.launching import ManualClock
from sample_lines import sample_line
from samples import sample
from weir.core.schema import Description, Totals
from weir.launch.ending import MemoryKills
from weir.launch.process import Exit
from weir.measure.events import CaseFailed, CaseSettled, Note
from weir.measure.launch_watch import LaunchWatch
from weir.measure.questions import Question
from weir.measure.run_history import read_history
from weir.measure.stopping_rule import CaseState, Goals, Verdict
from weir.measure.study_run import _cached_bytes
from weir.study.case import Case

from .simulation import LAUNCH_S, Machine, make_case, simulate

NAMES = ["a", "b", "c"]
CASES = [make_case(name) for name in NAMES]
TWO_OF_EACH = ("a1", "a2", "b1", "b2")


def test_calm_cases_are_precise_after_the_least_samples(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine())
    assert [state.verdict for state in study.states.values()] == [Verdict.PRECISE] * 3
    assert [state.samples for state in study.states.values()] == [6, 6, 6]


def test_a_narrow_case_goes_on_while_a_question_needs_it(tmp_path: Path) -> None:
    states = [CaseState(case) for case in CASES]

    def open_cases() -> set[str]:
        return {"a", "b"} if states[0].samples < 9 else set()

    simulate(tmp_path, CASES, Machine(), states=states, open_cases=open_cases)
    assert [state.samples for state in states] == [9, 9, 6]
    assert {state.verdict for state in states} == {Verdict.PRECISE}


def test_a_noisy_case_goes_on_alone_and_ends_inconclusive(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(noise={"b": 0.5}), goals=Goals(max_samples=12))
    assert [study.states[name].samples for name in NAMES] == [6, 12, 6]
    assert study.states["b"].verdict is Verdict.INCONCLUSIVE
    assert "% wide after 12 samples, the most allowed" in study.states["b"].why
    assert set(study.launcher.launches[-1]) == {"b"}


def test_what_a_case_leaves_behind_does_not_always_meet_the_same_one(tmp_path: Path) -> None:
    """Dirty pages of the case before made the first of each pair 10 to 20 % slower."""
    three = simulate(tmp_path / "3", CASES, Machine(seconds=dict.fromkeys(NAMES, 2.0)))
    assert three.launcher.launches[:4] == [[*"abc"], [*"cba"], [*"bca"], [*"acb"]]
    two = simulate(tmp_path / "2", CASES[:2], Machine(seconds=dict.fromkeys("ab", 4.0)))
    assert two.launcher.launches[:4] == [[*"ab"], [*"ba"], [*"ba"], [*"ab"]]


def test_short_cases_go_through_a_launch_a_few_times_still_interleaved(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(seconds=dict.fromkeys(NAMES, 0.01)))
    assert study.launcher.launches[0] == ["a", "b", "c"]
    assert study.launcher.launches[1] == [*"cba", *"abc", *"bac"]
    assert all(state.samples == 6 for state in study.states.values())


def test_cases_of_other_ranks_are_launched_apart(tmp_path: Path) -> None:
    cases = [make_case("a", 1), make_case("b", 2), make_case("c", 1)]
    study = simulate(tmp_path, cases, Machine(seconds=dict.fromkeys(NAMES, 2.0)))
    assert study.launcher.launches[:2] == [["a", "c"], ["b"]]


def notes_of(tmp_path: Path, seconds: float, budget_s: float) -> list[str]:
    machine = Machine(seconds=dict.fromkeys(NAMES, seconds))
    study = simulate(tmp_path, CASES[:1], machine, budget_s=budget_s)
    return [event.text for event in study.notebook.events if isinstance(event, Note)]


def test_a_launch_that_exceeds_the_budget_is_told(tmp_path: Path) -> None:
    (told,) = notes_of(tmp_path / "over", 64.0, 20.0)
    assert "took 65.0 s of a budget of 20.0 s" in told and "of 1 case, took 65.0 s" in told
    assert "is not cut. For shorter ones" in told
    assert notes_of(tmp_path / "within", 2.0, 20.0) == []


def test_launches_are_cut_to_about_ten_seconds(tmp_path: Path) -> None:
    seconds = dict.fromkeys("abcdefgh", 4.0)
    study = simulate(tmp_path, [make_case(n) for n in seconds], Machine(seconds=seconds), prior_s=4.0)
    assert max(len(launch) for launch in study.launcher.launches) == 2


@pytest.mark.parametrize("budget_s", [1.5, 7.0, 20.0, 60.0, 100.0])
def test_the_budget_is_hardly_overshot(tmp_path: Path, budget_s: float) -> None:
    """Once lengths are known nothing is begun that will not fit; the first round runs on guesses."""
    names = [f"n{i}" for i in range(10)]
    machine = Machine(seconds=dict.fromkeys(names, 2.0), noise=dict.fromkeys(names, 0.5))
    simulate(tmp_path, [make_case(n) for n in names], machine, budget_s=budget_s, prior_s=2.0)
    assert machine.clock.now() <= budget_s


def test_a_short_budget_starves_nobody_but_leaves_cases_out_and_says_it(tmp_path: Path) -> None:
    names = [f"n{i}" for i in range(10)]
    machine = Machine(seconds=dict.fromkeys(names, 2.0))
    study = simulate(tmp_path, [make_case(n) for n in names], machine, budget_s=90, prior_s=2.0)
    counts = [state.samples for state in study.states.values()]
    assert set(counts) == {0, 6} and counts.count(6) == 6
    for state in study.states.values():
        assert state.verdict is (Verdict.PRECISE if state.samples else Verdict.INCONCLUSIVE)
        assert state.samples or "the same command for the same run (--out) goes on" in state.why


def of(name: str) -> Case:
    """A case of the comparison that its first letter names."""
    return dataclasses.replace(make_case(name), comparisons=(name[0],))


def asked(names: str, **claims: int) -> list[Question]:
    """A question for the two cases of each comparison."""
    return [Question(n, frozenset({f"{n}1", f"{n}2"}), claims.get(n, 0)) for n in names]


def test_whole_comparisons_are_measured_or_left_out(tmp_path: Path) -> None:
    """Three of two cases each, time for two: the one whose claims are most, then the next in the study."""
    cases = [*map(of, (*TWO_OF_EACH, "c1", "c2"))]
    machine = Machine(seconds={case.id: 2.0 for case in cases})
    study = simulate(tmp_path, cases, machine, budget_s=60.0, prior_s=2.0, questions=asked("abc", c=3))
    counts = {name: state.samples for name, state in study.states.items()}
    assert counts == {"a1": 6, "a2": 6, "b1": 0, "b2": 0, "c1": 6, "c2": 6}


def test_what_was_left_out_is_taken_up_where_the_storage_is_faster_than_thought(tmp_path: Path) -> None:
    machine = Machine(seconds=dict.fromkeys(TWO_OF_EACH, 0.5))
    cases, questions = [*map(of, TWO_OF_EACH)], asked("ab")
    study = simulate(tmp_path, cases, machine, budget_s=50.0, prior_s=3.0, questions=questions)
    assert study.launcher.launches[0] == ["a1", "a2"]
    assert {state.samples for state in study.states.values()} == {6}


def test_what_turns_out_slower_is_given_up_whole(tmp_path: Path) -> None:
    machine = Machine(seconds=dict.fromkeys(TWO_OF_EACH, 3.0))
    cases, questions = [*map(of, TWO_OF_EACH)], asked("ab")
    study = simulate(tmp_path, cases, machine, budget_s=60.0, prior_s=0.5, questions=questions)
    counts = {name: state.samples for name, state in study.states.items()}
    assert (counts["a1"], counts["a2"]) == (6, 6) and max(counts["b1"], counts["b2"]) <= 1


def test_everyone_gets_the_least_samples_before_anyone_gets_more(tmp_path: Path) -> None:
    machine = Machine(seconds=dict.fromkeys(NAMES, 3.0), noise={"a": 0.5, "b": 0.02, "c": 0.5})
    study = simulate(tmp_path, CASES, machine, budget_s=6 * (3 * 3.0 + LAUNCH_S) + 1, prior_s=3.0)
    assert [study.states[name].samples for name in NAMES] == [6, 6, 6]


def test_then_the_widest_interval_comes_first(tmp_path: Path) -> None:
    past = [CaseState(case) for case in CASES]
    for state, spread in zip(past, (0.1, 0.6, 0.2), strict=True):
        state.values = {"write": [1e9 * (1 + spread * i / 6) for i in range(6)]}
        state.durations_s = [5.0]
    machine = Machine(seconds=dict.fromkeys(NAMES, 5.0))
    study = simulate(tmp_path, CASES, machine, states=past, budget_s=5.0 + 1.5 * LAUNCH_S)
    assert study.launcher.launches == [["b"]]


def test_a_failed_case_is_not_tried_again_and_does_not_stop_the_others(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "fail"}))
    assert [study.states[name].verdict for name in NAMES] == ["precise", "failed", "precise"]
    assert sum(launch.count("b") for launch in study.launcher.launches) == 1
    assert [f.problem for f in study.driver.failures] == ["no"]


def test_a_kill_is_laid_to_the_case_that_ran_which_is_tried_again_alone(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "kill"}))
    assert [study.states[name].verdict for name in NAMES] == ["precise", "failed", "precise"]
    assert study.launcher.launches[:3] == [["a", "b", "c"], ["b"], ["c", "a"]]
    (failure,) = study.driver.failures
    assert (failure.case, failure.exit_code, failure.signal) == ("b", 3, 9)
    assert failure.problem == "the launch ended while this case ran, 2 times in a row"
    assert study.states["a"].samples == 6


def test_a_case_that_was_killed_once_is_no_failure(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "kill once"}))
    assert {state.verdict for state in study.states.values()} == {Verdict.PRECISE}
    assert study.driver.failures == []
    (died,) = (line for line in study.lines if line["kind"] == "died")
    assert (died["cases"], died["launch"], died["round"], died["signal"]) == (["b"], 1, 1, 9)
    notes = [event.text for event in study.notebook.events if isinstance(event, Note)]
    assert len(notes) == 1 and "tried again" in notes[0] and "(SIGKILL)" in notes[0]


def test_deaths_count_in_a_row(tmp_path: Path) -> None:
    machine = Machine(trouble={"b": "kill once"}, seconds=dict.fromkeys(NAMES, 2.0))
    past = [CaseState(case) for case in CASES]
    study = simulate(tmp_path / "first", CASES, machine, states=past, budget_s=16.0)
    assert study.states["b"].verdict is Verdict.INCONCLUSIVE and study.states["b"].samples > 0
    assert study.states["b"].deaths == []


def test_a_stall_is_laid_to_its_rank_and_tried_again_alone(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "stall"}))
    assert [study.states[name].verdict for name in NAMES] == ["precise", "failed", "precise"]
    assert study.launcher.launches[:3] == [["a", "b", "c"], ["b"], ["c", "a"]]
    (failure,) = study.driver.failures
    assert failure.problem == "the launch stalled while this case ran, 2 times in a row"
    assert failure.reason == "rank 0 on n1, process 7, is stopped by a signal; no rank made progress for 15 s"
    assert (failure.case, failure.exit_code, failure.rank, failure.host) == ("b", 3, 0, "n1")
    (died,) = (line for line in study.lines if line["kind"] == "died")
    assert (died["rank"], died["host"]) == (0, "n1")


def test_the_stall_limit_follows_the_length_that_is_expected(tmp_path: Path) -> None:
    machine = Machine(seconds=dict.fromkeys(NAMES, 9.0))
    sent = simulate(tmp_path, CASES, machine, prior_s=9.0).sent
    assert {file["stall_limit_s"] for file in sent} == {5 * (9.0 + LAUNCH_S)}


def test_a_launch_is_given_long_before_and_after_its_ranks_are_watched() -> None:
    watch = LaunchWatch(["a"], ManualClock(), expected_s=2.0)
    limits = [watch.silence_limit_s()]
    for line in ({"kind": "launch", "stall_limit_s": 15.0}, {"kind": "end", "exit_code": 0}):
        watch.take(json.dumps({"schema": 1, **line}).encode())
        limits.append(watch.silence_limit_s())
    assert limits == [300.0, 30.0, 300.0]


def test_a_launch_that_is_not_watched_may_be_silent_for_long() -> None:
    watch = LaunchWatch(["a"], ManualClock(), expected_s=40.0)
    watch.take(b'{"schema": 1, "kind": "launch", "stall_limit_s": null}')
    assert watch.silence_limit_s() == 400.0
    watch.conclude(Exit(None, 15, silent_for_s=400.0), [])
    assert watch.death is not None and "was silent for 400 s" in (watch.death.reason or "")


def test_ranks_that_somebody_stopped_are_started_again(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "stop"}))
    assert study.launcher.launches[:3] == [["a", "b", "c"], ["b"], ["c", "a"]]
    assert [failure.exit_code for failure in study.driver.failures] == [3]


def test_a_launch_that_never_starts_is_tried_again_once(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(refuses_to_start=True))
    assert {state.verdict for state in study.states.values()} == {Verdict.FAILED}
    assert len(study.launcher.launches) == 2
    (failure,) = study.driver.failures
    assert (failure.case, failure.problem) == (None, "the launch did not start, 2 times in a row")


def test_a_first_launch_that_dies_costs_no_case(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(starts=[Exit(137)]))
    assert study.launcher.launches[:2] == [NAMES, NAMES]
    assert {state.verdict for state in study.states.values()} == {Verdict.PRECISE}
    assert study.driver.failures == []


def test_what_a_launcher_says_of_a_dead_rank_is_no_breach_of_the_protocol(tmp_path: Path) -> None:
    talk = [
        b"=   BAD TERMINATION OF ONE",
        b"YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)",
    ]
    study = simulate(tmp_path, CASES, Machine(starts=[Exit(9), Exit(9)], talk=talk))
    assert [(f.exit_code, f.signal) for f in study.driver.failures] == [(3, 9)]
    assert "a rank was killed by signal 9 (SIGKILL)" in (study.driver.failures[0].reason or "")


def test_a_death_for_want_of_memory_is_told_by_the_kernels_count(tmp_path: Path) -> None:
    counts = iter(range(100))
    machine = Machine(refuses_to_start=True)
    study = simulate(tmp_path, CASES, machine, memory_kills=lambda: MemoryKills(group=next(counts)))
    failure = study.driver.failures[0]
    assert "killed a process of this control group for lack of memory" in (failure.reason or "")
    assert "more memory" in (failure.suggestion or "")


def test_without_time_to_try_again_a_death_is_no_failure_and_is_said(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(starts=[Exit(137)]), budget_s=1.5)
    assert {state.verdict for state in study.states.values()} == {Verdict.INCONCLUSIVE}
    assert all("no time was left for another try" in state.why for state in study.states.values())


def test_what_the_core_says_of_a_whole_launch_befalls_all_its_cases(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(ranks_are_alone=True))
    assert {state.why for state in study.states.values()} == {"ranks are alone"}
    assert len(study.launcher.launches) == 1 and len(study.driver.failures) == 1


def test_a_case_that_says_nothing_fails_instead_of_running_forever(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "silent"}))
    assert study.states["b"].verdict is Verdict.FAILED
    assert [(f.case, f.exit_code) for f in study.driver.failures] == [("b", 3)]
    assert "gave no sample" in study.path.read_text()


def test_garbage_is_recorded_once_a_launch_and_costs_nobody_the_samples(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "garbage"}, seconds=dict.fromkeys(NAMES, 2.0)))
    assert {state.verdict for state in study.states.values()} == {Verdict.PRECISE}
    failures = study.driver.failures
    assert len(failures) == len(study.launcher.launches) == 6
    assert failures[0].exit_code == 70 and failures[0].case == "b"
    assert "a library says hello" in (failures[0].reason or "")


@pytest.mark.parametrize(("kind", "schema"), [("sample", 1), ("begin", 2), ("sample", None)])
def test_a_line_of_another_schema_is_garbage(kind: str, schema: int | None) -> None:
    watch = LaunchWatch(["a"], ManualClock())
    line = {**sample_line("a", "write"), "kind": kind, "schema": schema}
    assert watch.take(json.dumps(line).encode()) is None
    line["schema"] = 2 if kind == "sample" else 1
    assert watch.take(json.dumps(line).encode()) is not None


def test_every_line_is_kept_with_round_and_launch_and_the_verdicts_at_the_end(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "kill"}))
    launches = set(range(1, len(study.launcher.launches) + 1))
    lines = study.lines
    assert all(line["schema"] == (2 if line["kind"] == "sample" else 1) for line in lines)
    samples = [line for line in lines if line["kind"] == "sample"]
    assert {line["launch"] for line in samples} == launches - {2}  # in which only b ran, and died
    assert all(line["round"] >= 1 for line in samples)
    verdicts = {line["case"]: line["verdict"] for line in lines if line["kind"] == "finished"}
    assert verdicts == {"a": "precise", "b": "failed", "c": "precise"}


def test_settled_cases_are_left_alone(tmp_path: Path) -> None:
    past = [CaseState(case) for case in CASES]
    past[0].settle(Verdict.PRECISE, "before")
    study = simulate(tmp_path, CASES, Machine(), states=past)
    assert all("a" not in launch for launch in study.launcher.launches)


def test_samples_of_before_count(tmp_path: Path) -> None:
    taken = {"a": 5, "b": 5, "c": 6}
    records = [
        sample(case, phase, bandwidth_bytes_per_s=1e9)
        for case, times in taken.items()
        for phase in ("write", "read") * times
    ]
    past = read_history(CASES, records)
    study = simulate(tmp_path, CASES, Machine(), states=past.states, log=past.log)
    assert study.launcher.launches == [["a", "b"]]


def test_watchers_hear_of_everything(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine(trouble={"b": "fail"}))
    settled = [event.state.case.id for event in study.notebook.events if isinstance(event, CaseSettled)]
    failed = [event.failure.problem for event in study.notebook.events if isinstance(event, CaseFailed)]
    assert sorted(settled) == NAMES and failed == ["no"]
    assert (study.notebook.last.settled, study.notebook.last.failed, study.notebook.last.cases) == (3, 1, 3)


TIB = 1 << 40


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ([Totals(cached_bytes=320), Totals(cached_bytes=20)], 320),
        ([Totals(cached_bytes=320), Totals()], None),
        ([Totals(cached_bytes=320), Totals(cached_bytes=TIB, time_bound_s=0.2)], None),
    ],
)
def test_what_comes_in_a_limited_time_is_for_the_core_to_find_out(
    totals: list[Totals], expected: int | None
) -> None:
    states = [CaseState(make_case(name)) for name in ("a", "b")]
    found = {
        state.case.id: Description(state.case.id, totals=t) for state, t in zip(states, totals, strict=True)
    }
    plan: Any = SimpleNamespace(descriptions=found)
    past: Any = SimpleNamespace(states=states)
    assert _cached_bytes(plan, past) == expected


def test_the_core_finds_it_out_once_a_case(tmp_path: Path) -> None:
    sent = simulate(tmp_path, [make_case("a")], Machine(), warm_memory_bytes=None).sent
    assert "warm_memory_bytes" not in sent[0]
    assert len(sent) > 1 and {file["warm_memory_bytes"] for file in sent[1:]} == {0}
