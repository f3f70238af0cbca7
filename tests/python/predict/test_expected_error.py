import random

import pytest

from weir.predict.expected_error import Observed, expected, kind_of, left_out


def known(kind: str, *errors: float) -> list[Observed]:
    return [Observed(f"{kind}{at}", kind, (error,)) for at, error in enumerate(errors)]


def test_it_is_of_workloads_that_lose_the_same() -> None:
    errors = (-0.1, 0.0, 0.0, 0.0, 0.1, 0.1, 0.1, 0.2, 0.2)
    found = expected("order", known("order", *errors) + known("exact", 3.0))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((-0.1, 0.2))
    assert (found.probability, found.workloads, found.of_kind) == (0.8, 9, True)
    assert found.holds(0.15)
    assert not found.holds(0.3)


def test_where_they_are_few_it_is_of_all() -> None:
    found = expected("order", known("order", 1.0, *[0.0] * 7) + known("exact", -0.1, 0.0, 0.1))
    assert found is not None
    assert (found.high, found.of_kind) == (pytest.approx(1.0), False)


def test_of_too_few_nothing_is_said() -> None:
    assert expected("exact", known("exact", 0.1, 0.2, 0.3)) is None
    assert left_out(known("exact", 0.1, 0.2, 0.3, 0.4)) is None


def test_a_workload_counts_once() -> None:
    one = Observed("a", "exact", (0.1, 0.2, 9.0))
    assert one.ratio == pytest.approx(1.2)


def test_the_interval_holds_as_often_as_it_says_of_those_left_out() -> None:
    drawn, held, of, promised = random.Random(3), 0, 0, 0.0
    for _ in range(300):
        check = left_out(known("exact", *(drawn.lognormvariate(0, 0.3) - 1 for _ in range(10))))
        assert check is not None
        held, of, promised = held + check.held, of + check.of, check.promised
    assert promised == pytest.approx(0.8)
    assert held / of == pytest.approx(promised, abs=0.03)


def test_the_kind_is_what_is_lost_most() -> None:
    fidelity = {"overall": 0.4, "request_size": 0.9, "order": 0.5, "sync": 1.0}
    assert kind_of(fidelity, random_sizes=False) == "order"
    assert kind_of(fidelity, random_sizes=True) == "random sizes"
    assert kind_of(dict.fromkeys(fidelity, 1.0), random_sizes=False) == "exact"
    assert kind_of(dict.fromkeys(fidelity, 0.9999), random_sizes=False) == "exact"
