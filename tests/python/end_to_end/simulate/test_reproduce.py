"""Studies of papers on their modelled machines, by the real core."""

import pytest

from weir.core.client import Core, find_core
from weir.simulate.paper import FIT, PREDICTION, errors
from weir.simulate.papers import papers
from weir.simulate.papers.sp_paragon import as_in_the_paper


@pytest.fixture(scope="module")
def core() -> Core:
    return Core(find_core())


def test_the_large_case_is_predicted_from_the_small_one(core: Core) -> None:
    cells = list(papers.find("sp-paragon").cells(core))
    assert len(cells) == 24
    predicted = errors(cells, PREDICTION)
    assert predicted is not None
    assert predicted.count == 12
    assert predicted.median <= 0.15
    assert predicted.worst <= 0.40
    fitted = errors(cells, FIT)
    assert fitted is not None
    assert fitted.median <= 0.02


def test_archer_is_met_by_the_fitted_model(core: Core) -> None:
    cells = list(papers.find("archer").cells(core))
    fitted = errors(cells, FIT)
    assert fitted is not None
    assert fitted.count == 50
    assert fitted.median <= 0.12


def test_the_papers_routines_open_at_once_and_wait_before_each_exchange() -> None:
    everyone = {"open": {"file": 1, "mode": "create", "ranks": {"first": 0, "count": 1, "step": 1}}}
    others = {"open": {"file": 1, "mode": "update", "ranks": {"first": 1, "count": 7, "step": 1}}}
    move, close = {"move": {"file": 1}}, {"close": {"file": 1}}
    steps = [everyone, {"barrier": {}}, others, {"repeat": {"count": 2, "steps": [move]}}, close]
    found = as_in_the_paper({"phases": [{"name": "dumps", "steps": steps}]})
    assert found["phases"][0]["steps"] == [
        {"open": {"file": 1, "mode": "create"}},
        {"repeat": {"count": 2, "steps": [{"barrier": {}}, move]}},
        {"barrier": {}},
        close,
    ]
