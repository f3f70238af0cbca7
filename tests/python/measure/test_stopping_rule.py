import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_cases import random_cases
from weir.measure.stopping_rule import CaseState, Goals, Verdict, judge

from .simulation import Machine, make_case, simulate


def state_of(**values: list[float]) -> CaseState:
    return CaseState(make_case("a"), values=dict(values))


def test_every_phase_must_be_precise() -> None:
    calm, wild = [100.0] * 6, [50.0, 80.0, 100.0, 120.0, 150.0, 200.0]
    assert judge(state_of(write=calm, read=wild), Goals()) is None
    judged = judge(state_of(write=calm, read=calm), Goals())
    assert judged is not None and judged[0] is Verdict.PRECISE


def test_the_phase_with_fewest_samples_counts() -> None:
    assert judge(state_of(write=[1.0] * 9, read=[1.0] * 5), Goals()) is None


def test_fewer_than_six_samples_are_never_precise() -> None:
    judged = judge(state_of(write=[1.0] * 3), Goals(min_samples=3, max_samples=3))
    assert judged is not None and judged[0] is Verdict.INCONCLUSIVE
    assert "3 samples of write have no interval, which takes 6;" in judged[1]


def test_a_median_of_zero_is_not_precise() -> None:
    judged = judge(state_of(write=[0.0] * 8), Goals(max_samples=8))
    assert judged is not None and judged[0] is Verdict.INCONCLUSIVE
    assert (
        judged[1]
        == "the median of write is 0, of which an interval is no share, after 8 samples, the most allowed"
    )


def test_a_phase_that_moves_nothing_is_not_waited_for() -> None:
    judged = judge(state_of(write=[1.0] * 8, opening=[0.0] * 8), Goals(max_samples=8))
    assert judged is not None and judged[0] is Verdict.PRECISE
    noisy = [1.0, 3.0] * 4
    judged = judge(state_of(opening=[0.0] * 8, write=noisy), Goals(max_samples=8))
    assert judged is not None and judged[1].startswith("the interval for write is ")


@random_cases(20)
@given(st.floats(0.0, 0.4), st.integers(0, 2**32))
def test_sampling_stops_when_and_only_when_it_should(
    tmp_path_factory: pytest.TempPathFactory, noise: float, seed: int
) -> None:
    machine = Machine(noise={"a": noise}, source=random.Random(seed))
    study = simulate(tmp_path_factory.mktemp("s"), [make_case("a")], machine)
    state = study.states["a"]
    if state.verdict is Verdict.PRECISE:
        assert state.width() <= 0.05 and state.samples >= 6
    else:
        assert state.verdict is Verdict.INCONCLUSIVE and state.width() > 0.05 and state.samples >= 30


def test_little_noise_stops_early_and_much_noise_never_convinces(tmp_path: Path) -> None:
    calm = simulate(tmp_path / "calm", [make_case("a")], Machine(noise={"a": 0.003})).states["a"]
    wild = simulate(tmp_path / "wild", [make_case("a")], Machine(noise={"a": 0.5})).states["a"]
    assert (calm.verdict, calm.samples) == (Verdict.PRECISE, 6)
    assert (wild.verdict, wild.samples) == (Verdict.INCONCLUSIVE, 30)


@pytest.mark.parametrize(("half", "precise"), [(2.4, True), (2.6, False)])
def test_the_goal_is_the_whole_interval_from_end_to_end(half: float, precise: bool) -> None:
    judged = judge(state_of(write=[100 - half, *[100.0] * 4, 100 + half]), Goals(precision=0.05))
    assert (judged is not None and judged[0] is Verdict.PRECISE) == precise
