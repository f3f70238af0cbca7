"""Shares of time: of what a part leaves over, and of what can be answered."""

from pathlib import Path

import pytest

from weir.measure.launch_watch import spec_of
from weir.measure.parted_scheduler import PartedScheduler, parts_of
from weir.measure.scheduler import Scheduler
from weir.measure.stopping_rule import CaseState, Goals

from .simulation import LAUNCH_S, Machine, make_case, simulate

LONGEST_S = 10.0


def test_what_a_part_leaves_over_the_others_share(tmp_path: Path) -> None:
    """Part b has samples enough after a few seconds, a and c never."""
    cases = [make_case(name) for name in ("a1", "b1", "c1")]
    machine = Machine(seconds={"a1": 2.0, "c1": 2.0}, noise={"a1": 0.3, "c1": 0.3})
    goals = Goals(precision=0.0001, max_samples=10_000)
    study = simulate(tmp_path, cases, machine, budget_s=300.0, goals=goals, shares={"a": 1, "b": 1, "c": 1})
    took = {"a1": 0.0, "b1": 0.0, "c1": 0.0}
    for sent in study.sent:
        name = sent["cases"][0]["id"]
        took[name] += LAUNCH_S + sum(machine.seconds.get(case["id"], 0.1) for case in sent["cases"])
    assert took["b1"] < 30
    assert took["a1"] == pytest.approx(took["c1"], abs=2 * LONGEST_S)


def test_each_part_answers_what_its_share_of_the_time_allows() -> None:
    """Shares that add up to more than one, too."""
    states = [CaseState(make_case(name)) for name in ("a1", "b1")]

    def scheduler(some: list[CaseState]) -> Scheduler:
        return Scheduler(some, Goals(), spec_of=spec_of, prior_s=lambda _: 1.0)

    parts = parts_of(states, lambda one: one.case.id[0], {"a": 1, "b": 1}, scheduler)
    each_s = parts[0].scheduler.outlook(0).needed_s
    found = PartedScheduler(parts)
    assert found.outlook(2.01 * each_s).is_whole
    assert not found.outlook(1.5 * each_s).cases
