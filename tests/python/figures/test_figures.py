"""Figures as data: what is drawn, on which scales, and how doubt is marked."""

from pathlib import Path
from typing import Any

import pytest

import synthetic_run
from rows import cached_read, row
from weir.analyse.metric import Metric
from weir.errors import WeirError
from weir.figures.drawing import Drawing, draw, names
from weir.figures.export import export
from weir.report.gather import gather
from weir.store.run_directory import RunDirectory

SIZES = [1024, 65536, 1 << 20]


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> list[Drawing]:
    run = synthetic_run.write_run(tmp_path_factory.mktemp("run"))
    contents = gather(RunDirectory(run))
    return draw(contents.rows_by_figure, contents.machine)


def points(spec: dict[str, Any]) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = spec["data"]["values"]
    return values


def test_the_quick_study_fills_every_figure(drawings: list[Drawing]) -> None:
    assert [drawing.name for drawing in drawings] == ["transfer", "size", "ranks", "layout", "backend"]
    assert {drawing.name for drawing in drawings} < set(names())


def test_every_point_carries_its_interval_count_and_flags(drawings: list[Drawing]) -> None:
    for drawing in drawings:
        for panel in drawing.panels:
            for point in points(panel.spec):
                assert point["low"] <= point["median"] <= point["high"]
                assert point["n"] == 12
                assert "MiB/s" in point["measured"]
                assert point["flags"]


def test_panels_of_a_figure_share_scale_and_colours(drawings: list[Drawing]) -> None:
    for drawing in drawings:
        domains = {
            (
                str(panel.spec["layer"][0]["encoding"]["y"]["scale"]["domain"]),
                str(panel.spec["encoding"]["color"]["scale"]["domain"]),
            )
            for panel in drawing.panels
        }
        assert len(domains) == 1


def test_bandwidth_is_logarithmic_only_over_a_wide_range() -> None:
    narrow = [row("write", speed, transfer=size) for size, speed in zip(SIZES, [500, 900, 1000], strict=True)]
    wide = [row("write", speed, transfer=size) for size, speed in zip(SIZES, [5, 900, 1000], strict=True)]
    scales = [
        draw({"transfer": rows}, {})[0].panels[0].spec["layer"][0]["encoding"]["y"]["scale"]
        for rows in (narrow, wide)
    ]
    assert scales[0]["domain"][0] == 0
    assert scales[1]["type"] == "log"


def test_doubtful_points_are_marked_and_explained() -> None:
    rows = [
        row("read", 900, transfer=1024),
        row("read", 900, transfer=65536, verdict="inconclusive"),
        cached_read(9000, transfer=1 << 20),
    ]
    spec = draw({"transfer": rows}, {})[0].panels[0].spec
    assert [point["state"] for point in points(spec)] == [
        "precise",
        "inconclusive",
        "from the cache, not the device",
    ]
    shape = next(
        layer["encoding"]["shape"] for layer in spec["layer"] if "shape" in layer.get("encoding", {})
    )
    assert shape["legend"]["values"] == ["inconclusive", "from the cache, not the device"]


def test_too_few_cases_give_no_figure() -> None:
    assert draw({"transfer": [row("write", 1000)], "layout": [row("write", None)]}, {}) == []


def test_the_core_count_is_marked_only_where_ranks_exceed_it() -> None:
    rows = [row("write", 500 * ranks, ranks=ranks) for ranks in (1, 2, 4)]
    with_more = draw({"ranks": rows}, {"cpu": {"usable": 2}})[0].panels[0].spec
    enough = draw({"ranks": rows}, {"cpu": {"usable": 8}})[0].panels[0].spec
    assert "more ranks than the 2 cores" in str(with_more)
    assert "more ranks than" not in str(enough)


@pytest.mark.parametrize(("form", "magic"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_figures_become_files(drawings: list[Drawing], tmp_path: Path, form: str, magic: bytes) -> None:
    pytest.importorskip("vl_convert")
    files = export(drawings[:1], tmp_path / "figures", form)
    assert [file.name for file in files] == [f"transfer.{form}"]
    assert files[0].read_bytes().startswith(magic)


def test_an_unknown_format_is_refused_with_the_known_ones(drawings: list[Drawing], tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="svg, png, pdf"):
        export(drawings, tmp_path, "gif")


def test_metrics_of_two_units_have_a_panel_each() -> None:
    speed, delay = (
        Metric("flop_per_s", "flop/s", "speed", True),
        Metric("ping_us", "us", "delay", False),
    )
    rows = [row("dot", 1000.0 * ranks, metric=speed, ranks=ranks) for ranks in (1, 2, 4)]
    rows += [row("ping", 1.0 / ranks, metric=delay, ranks=ranks) for ranks in (1, 2, 4)]
    (drawing,) = draw({"ranks": rows}, {})
    assert [panel.title for panel in drawing.panels] == ["Speed", "Delay"]
    axes = [panel.spec["layer"][2]["encoding"]["y"]["title"] for panel in drawing.panels]
    assert axes == ["speed (Gflop/s)", "delay (µs)"]
    assert [len(points(panel.spec)) for panel in drawing.panels] == [3, 3]
    assert drawing.finding.title.startswith("Dot results ")
    (alone,) = draw({"ranks": rows[:3]}, {})
    assert [panel.title for panel in alone.panels] == [""]


def test_many_curves_with_long_names_have_colours_and_room() -> None:
    backends = ("posix", "mpiio", "hdf5", "pnetcdf")
    rows = [
        make(100, backend=name, ranks=ranks, options_of="an application with a long name")
        for name in backends
        for ranks in (1, 2)
        for make in (lambda speed, **more: row("write", speed, **more), cached_read)
    ]
    (drawing,) = draw({"ranks": rows}, {})
    assert [panel.title for panel in drawing.panels] == ["Writes", "Reads"], "eight curves, seven colours"
    legends = [panel.spec["encoding"]["color"]["legend"] for panel in drawing.panels]
    assert [len(legend["values"]) for legend in legends] == [4, 4]
    assert all(legend["columns"] == 1 for legend in legends), "two names would be cut off"
    (few,) = draw({"ranks": [one for one in rows if one.options["backend"] == "posix"]}, {})
    assert len(few.panels) == 1 and len(points(few.panels[0].spec)) == 4
