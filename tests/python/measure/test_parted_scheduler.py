"""A part of a study has its share of the time, whatever the others need."""

from pathlib import Path

import pytest

from weir.measure.stopping_rule import Goals, Verdict

from .simulation import LAUNCH_S, Machine, Study, make_case, simulate

NOISY = Goals(precision=0.0001, max_samples=10_000)
LONGEST_S = 10.0


def simulated(
    folder: Path, machine: Machine, budget_s: float, goals: Goals = NOISY, **shares: float
) -> Study:
    """Cases "a1" and "a2" of part a, and so on, which are never settled unless `goals` say so."""
    cases = [make_case(f"{part}{number}") for part in shares for number in (1, 2)]
    machine.noise |= {case.id: 0.3 for case in cases}
    return simulate(folder, cases, machine, budget_s=budget_s, goals=goals, shares=shares)


def time_of(study: Study, part: str) -> float:
    """Seconds of the machine that launches of the part took, by its cases and launches."""
    s = 0.0
    for sent in study.sent:
        names = [case["id"] for case in sent["cases"]]
        if names[0][0] == part:
            s += LAUNCH_S + sum(study.machine.seconds.get(name, 0.1) for name in names)
    return s


@pytest.mark.parametrize("shares", [{"a": 1, "b": 1}, {"a": 3, "b": 1}, {"a": 1, "b": 8}])
@pytest.mark.parametrize("slow", ["a", "b"])
def test_each_part_gets_its_share_however_slow_its_cases_are(
    tmp_path: Path, shares: dict[str, float], slow: str
) -> None:
    machine = Machine(seconds={f"{slow}1": 3.0, f"{slow}2": 3.0})
    study = simulated(tmp_path, machine, 400.0, **shares)
    for part, share in shares.items():
        assert time_of(study, part) == pytest.approx(400 * share / sum(shares.values()), abs=2 * LONGEST_S)


def test_what_a_part_leaves_over_the_others_get(tmp_path: Path) -> None:
    """Those of part b have samples enough after a few seconds."""
    machine = Machine(noise={}, seconds={"a1": 2.0, "a2": 2.0})
    cases = [make_case(name) for name in ("a1", "a2", "b1", "b2")]
    machine.noise = {"a1": 0.3, "a2": 0.3}
    study = simulate(tmp_path, cases, machine, budget_s=300.0, goals=NOISY, shares={"a": 1, "b": 1})
    assert study.states["b1"].verdict is study.states["b2"].verdict is Verdict.PRECISE
    assert time_of(study, "b") < 30
    assert time_of(study, "a") > 300 - 30 - 2 * LONGEST_S


def test_parts_take_turns_so_that_an_interrupted_run_has_some_of_each(tmp_path: Path) -> None:
    machine = Machine(seconds={"a1": 4.0, "a2": 4.0, "b1": 4.0, "b2": 4.0})
    study = simulated(tmp_path, machine, 200.0, a=1, b=1)
    parts = [sent["cases"][0]["id"][0] for sent in study.sent]
    assert {*parts[:2]} == {"a", "b"}
    assert max(abs(parts[:at].count("a") - parts[:at].count("b")) for at in range(len(parts))) <= 2


def test_a_launch_that_died_is_tried_again_in_its_part(tmp_path: Path) -> None:
    machine = Machine(trouble={"b1": "kill once"})
    study = simulated(tmp_path, machine, 60.0, Goals(max_samples=6), a=1, b=1)
    assert all(state.samples >= 6 for state in study.states.values())


def test_a_part_whose_cases_fail_takes_no_time_from_others(tmp_path: Path) -> None:
    machine = Machine(trouble={"a1": "fail", "a2": "fail"})
    study = simulated(tmp_path, machine, 100.0, a=5, b=1)
    assert study.states["a1"].verdict is Verdict.FAILED
    assert time_of(study, "b") > 100 - 2 * LONGEST_S
