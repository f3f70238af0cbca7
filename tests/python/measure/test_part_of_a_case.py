"""Whose time a case of several parts takes."""

from dataclasses import replace
from pathlib import Path

from weir.core.schema import Description, Schema, Totals
from weir.measure.plan import Plan
from weir.measure.scheduling import first_round
from weir.study.load import parse_study

from .simulation import make_case

TEXT = """
[study]
name = "s"
[[part]]
name = "small"
share = "10%"
title = "Small"
[[part]]
name = "large"
share = "90%"
title = "Large"
[[comparison]]
name = "a"
part = "small"
[[comparison]]
name = "b"
part = "large"
"""


def test_a_case_of_several_parts_takes_the_time_of_the_first(tmp_path: Path) -> None:
    """Parts take turns, with launches of their own."""
    both = replace(make_case("both"), comparisons=("a", "b"))
    other = replace(make_case("other"), comparisons=("b",))
    described = {name: Description(name, totals=Totals()) for name in ("both", "other")}
    plan = Plan(parse_study(TEXT, "s.toml"), Schema("0"), [both, other], described, tmp_path)
    launches = [[state.case.id for state in one.states] for one in first_round(plan)]
    assert launches == [["both"], ["other"]]
