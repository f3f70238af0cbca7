"""What a machine whose state changes does to a run."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from weir.measure.events import Note
from weir.measure.run_history import read_history
from weir.measure.stopping_rule import CaseState, Goals, Verdict
from weir.store.records import to_record

from .simulation import Machine, Study, make_case, simulate

NAMES = ("a", "b", "c")
CASES = [make_case(name) for name in NAMES]
FAST_NS, SLOW_NS = 50.0, 250.0


def slow(is_slow: Callable[[float], bool]) -> Machine:
    """A machine of 2 s a case that is slow at these times, with the noise of probes."""
    noise = random.Random(1)
    return Machine(
        seconds=dict.fromkeys(NAMES, 2.0),
        noise=dict.fromkeys(NAMES, 0.003),
        handoff_ns=lambda now: (SLOW_NS if is_slow(now) else FAST_NS) * noise.uniform(0.9, 1.1),
    )


def speeds(study: Study) -> set[float]:
    """Of all values that count, to one place."""
    return {
        float(f"{value:.0e}")
        for state in study.states.values()
        for values in state.values.values()
        for value in values
    }


def notes(study: Study) -> list[str]:
    return [event.text for event in study.notebook.events if isinstance(event, Note)]


def test_samples_of_a_state_that_passes_do_not_count_and_cases_go_on_without_them(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, slow(lambda now: 10 < now < 20))
    assert speeds(study) == {1e9}
    for state in study.states.values():
        assert (state.verdict, state.samples, state.set_aside > 0) == (Verdict.PRECISE, 6, True)
        plural = " is" if state.set_aside == 1 else "s are"
        assert f"more sample{plural} set aside for the state of the machine" in state.why
    assert len(notes(study)) == 1 and "changed its state" in notes(study)[0]


def test_a_state_that_stays_becomes_the_main_one_and_settled_cases_go_on(tmp_path: Path) -> None:
    states = [CaseState(case) for case in CASES]
    machine = slow(lambda now: now > 45)
    machine.noise["c"] = 0.1
    goals = Goals(max_samples=60)
    study = simulate(tmp_path, CASES, machine, states=states, goals=goals)
    assert speeds(study) <= {1e8, 2e8, 3e8}
    finished = [line["case"] for line in study.lines if line["kind"] == "finished"]
    assert {name: finished.count(name) for name in NAMES} == {"a": 2, "b": 2, "c": 1}
    assert any("settled cases go on" in note for note in notes(study))
    assert all(state.samples >= 6 for state in states)


def test_a_case_of_another_state_alone_is_no_silent_one(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, slow(lambda now: now > 14), budget_s=20.0)
    assert all(state.verdict is Verdict.INCONCLUSIVE for state in study.states.values())
    assert study.driver.failures == []


@pytest.mark.parametrize("budget_s", [15.0, 30.0, 45.0])
def test_a_run_that_goes_on_knows_the_states_of_before(tmp_path: Path, budget_s: float) -> None:
    study = simulate(tmp_path, CASES, slow(lambda now: 10 < now < 20), budget_s=budget_s)
    past = read_history(CASES, [record for line in study.lines if (record := to_record(line))])
    for state in past.states:
        live = study.states[state.case.id]
        assert (state.values, state.set_aside) == (live.values, live.set_aside)


def test_a_machine_without_probes_measures_as_ever(tmp_path: Path) -> None:
    study = simulate(tmp_path, CASES, Machine())
    assert all((state.samples, state.set_aside) == (6, 0) for state in study.states.values())
