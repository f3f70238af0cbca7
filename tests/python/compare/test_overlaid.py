"""Figures of several runs in one."""

from dataclasses import replace
from pathlib import Path

from weir.compare.comparison import Comparison, Rules, compare
from weir.compare.overlaid import overlaid
from weir.compare.sides import Side, side_of
from weir.report.gather import gather
from weir.store.run_directory import RunDirectory

from .runs import run
from .test_profile import profile


def two(folder: Path) -> Comparison:
    sides = [side_of(run(folder / name)) for name in ("one", "other")]
    return compare(sides, Rules())


def curves(found: Comparison, name: str) -> set[str]:
    """Of the first panel of the figure of that name."""
    drawing = next(one for one in overlaid(found) if one.name == f"overlaid-{name}")
    return {value["series"] for value in drawing.panels[0].spec["data"]["values"]}


def test_each_side_has_its_curves(tmp_path: Path) -> None:
    found = curves(two(tmp_path), "transfer")
    assert sorted(curve.rpartition(", ")[2] for curve in found) == [
        "of one",
        "of one",
        "of other",
        "of other",
    ]


def test_every_figure_that_both_have_is_there(tmp_path: Path) -> None:
    drawn = {one.name for one in overlaid(two(tmp_path))}
    asked = gather(RunDirectory(tmp_path / "one")).comparisons_by_figure
    assert drawn == {f"overlaid-{name}" for name in asked}


def test_a_profile_has_the_figures_of_its_run(tmp_path: Path) -> None:
    sides = [side_of(run(tmp_path / "n0")), side_of(profile(run(tmp_path / "n1")))]
    assert len(curves(compare(sides, Rules()), "transfer")) == 4


def test_what_one_side_alone_asks_is_not_drawn(tmp_path: Path) -> None:
    asking = side_of(run(tmp_path / "one"))
    silent = Side(tmp_path / "other", (replace(asking.last, figures={"layout": ("layout",)}),))
    found = overlaid(compare([asking, silent], Rules()))
    assert [one.name for one in found] == ["overlaid-layout"]
