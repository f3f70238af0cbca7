"""Figures as data: what is drawn, on which scales, and how doubt is marked."""

from pathlib import Path
from typing import Any

import pytest

import synthetic_run
from rows import cached_read, row
from weir.analyse.latency import PooledLatency
from weir.analyse.metric import Metric
from weir.errors import WeirError
from weir.figures.encoding import MOST_SERIES, drawn_by_direction
from weir.figures.figure import Drawing
from weir.figures.render import export
from weir.questions.latency import binned
from weir.questions.question import draw, figure_names
from weir.report.gather import gather
from weir.results.row import Row
from weir.store.run_directory import RunDirectory

SIZES = [1024, 65536, 1 << 20]


def all_of(folder: Path, study: str) -> dict[str, Drawing]:
    contents = gather(RunDirectory(synthetic_run.write_run(folder, study_name=study)))
    found = {name: draw(name, rows, contents.machine) for name, rows in contents.rows_by_figure.items()}
    return {name: drawing for name, drawing in found.items() if drawing}


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> list[Drawing]:
    return list(all_of(tmp_path_factory.mktemp("run"), "quick").values())


@pytest.fixture(scope="module")
def nersc(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Drawing]:
    return all_of(tmp_path_factory.mktemp("run"), "ior-nersc")


def drawn(name: str, rows: list[Row], card: dict[str, Any] | None = None) -> Drawing:
    drawing = draw(name, rows, card or {})
    assert drawing is not None
    return drawing


def spec_of(name: str, rows: list[Row], card: dict[str, Any] | None = None) -> dict[str, Any]:
    return drawn(name, rows, card).panels[0].spec


def points(spec: dict[str, Any]) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = spec["data"]["values"]
    return values


def test_the_quick_study_fills_every_figure(quick: list[Drawing]) -> None:
    assert [drawing.name for drawing in quick] == ["transfer", "size", "ranks", "layout", "backend"]
    assert {drawing.name for drawing in quick} < set(figure_names())


def test_every_point_carries_its_interval_count_and_flags(quick: list[Drawing]) -> None:
    for drawing in quick:
        for panel in drawing.panels:
            for point in points(panel.spec):
                assert point["low"] <= point["median"] <= point["high"]
                assert point["n"] == 12
                assert "MiB/s" in point["measured"]
                assert point["flags"]


def test_panels_of_a_figure_share_scale_and_colours(quick: list[Drawing]) -> None:
    for drawing in quick:
        specs = [panel.spec for panel in drawing.panels]
        assert len({str(spec["layer"][0]["encoding"]["y"]["scale"]["domain"]) for spec in specs}) == 1
        assert len({str(spec["encoding"]["color"]["scale"]["domain"]) for spec in specs}) == 1


def test_bandwidth_is_logarithmic_only_over_a_wide_range() -> None:
    narrow = [row("write", speed, transfer=size) for size, speed in zip(SIZES, [500, 900, 1000], strict=True)]
    wide = [row("write", speed, transfer=size) for size, speed in zip(SIZES, [5, 900, 1000], strict=True)]
    scales = [spec_of("transfer", rows)["layer"][0]["encoding"]["y"]["scale"] for rows in (narrow, wide)]
    assert scales[0]["domain"][0] == 0
    assert scales[1]["type"] == "log"


def test_doubtful_points_are_marked_and_explained() -> None:
    rows = [
        row("read", 900, transfer=1024),
        row("read", 900, transfer=65536, spread=None, n=3),
        cached_read(9000, transfer=1 << 20),
    ]
    spec = spec_of("transfer", rows)
    doubts = ["no interval (below 6 samples)", "from the cache, not the device"]
    assert [point["state"] for point in points(spec)] == ["with an interval", *doubts]
    shape = next(layer["encoding"]["shape"] for layer in spec["layer"] if "shape" in layer.get("encoding"))
    assert shape["legend"]["values"] == doubts


def test_too_few_cases_give_no_figure() -> None:
    assert draw("transfer", [row("write", 1000)], {}) is None
    assert draw("layout", [row("write", None)], {}) is None


def test_the_core_count_is_marked_only_where_ranks_exceed_it() -> None:
    rows = [row("write", 500 * ranks, ranks=ranks) for ranks in (1, 2, 4)]
    with_more = spec_of("ranks", rows, {"cpu": {"usable": 2}})
    enough = spec_of("ranks", rows, {"cpu": {"usable": 8}})
    assert "more ranks than the 2 cores" in str(with_more)
    assert "more ranks than" not in str(enough)


@pytest.mark.usefixtures("draws")
@pytest.mark.parametrize(("form", "magic"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_figures_become_files(quick: list[Drawing], tmp_path: Path, form: str, magic: bytes) -> None:
    files = export(quick[:1], tmp_path / "figures", form)
    assert [file.name for file in files] == [f"transfer.{form}"]
    assert files[0].read_bytes().startswith(magic)


def test_an_unknown_format_is_refused_with_the_known_ones(quick: list[Drawing], tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="svg, png, pdf"):
        export(quick, tmp_path, "gif")


def test_metrics_of_two_units_have_a_panel_each() -> None:
    speed, delay = Metric("flop_per_s", "flop/s", "speed", True), Metric("ping_us", "us", "delay", False)
    rows = [row("dot", 1000.0 * ranks, metric=speed, ranks=ranks) for ranks in (1, 2, 4)]
    rows += [row("ping", 1.0 / ranks, metric=delay, ranks=ranks) for ranks in (1, 2, 4)]
    drawing = drawn("ranks", rows)
    assert [panel.title for panel in drawing.panels] == ["Speed", "Delay"]
    axes = [panel.spec["layer"][2]["encoding"]["y"]["title"] for panel in drawing.panels]
    assert axes == ["speed (Gflop/s)", "delay (µs)"]
    assert [len(points(panel.spec)) for panel in drawing.panels] == [3, 3]
    assert [one.subject for one in drawing.finding.answers] == [("dot",)], "a curve is read upwards"
    alone = drawn("ranks", rows[:3])
    assert [panel.title for panel in alone.panels] == [""]


def test_many_curves_with_long_names_have_colours_and_room() -> None:
    backends = ("posix", "mpiio", "hdf5", "pnetcdf")
    rows = [
        make(100, backend=name, ranks=ranks, options_of="an application with a long name")
        for name in backends
        for ranks in (1, 2)
        for make in (lambda speed, **more: row("write", speed, **more), cached_read)
    ]
    drawing = drawn("ranks", rows)
    assert [panel.title for panel in drawing.panels] == ["Writes", "Reads"], "eight curves, seven colours"
    legends = [panel.spec["encoding"]["color"]["legend"] for panel in drawing.panels]
    assert [len(legend["values"]) for legend in legends] == [4, 4]
    assert all(legend["columns"] == 1 for legend in legends), "two names would be cut off"
    few = drawn("ranks", [one for one in rows if one.options["backend"] == "posix"])
    assert len(few.panels) == 1 and len(points(few.panels[0].spec)) == 4


def test_the_shares_of_a_latency_curve_add_up(nersc: dict[str, Drawing]) -> None:
    for panel in nersc["latency"].panels:
        for series in {value["series"] for value in points(panel.spec)}:
            shares = [value["share"] for value in points(panel.spec) if value["series"] == series]
            assert sum(shares) == pytest.approx(1.0)
            assert shares[0] == shares[-1] == 0


def test_bins_between_two_peaks_are_empty_and_not_missing() -> None:
    pooled = PooledLatency("write", 4, 1, 1e-6, 1e-3, 1e-2, 0, 0.0, ((1.01e-6, 3), (1.01e-2, 1)))
    places = [place for place, _ in binned(pooled)]
    assert places == list(range(-61, -18))
    assert [share for _, share in binned(pooled) if share] == [0.75, 0.25]


def test_a_timeline_holds_the_bytes_of_its_sample_and_ends_with_the_phase(
    nersc: dict[str, Drawing],
) -> None:
    for panel in nersc["timeline"].panels:
        curve = [point for point in points(panel.spec) if point["series"] == "2 ranks"]
        step = curve[1]["time"] - curve[0]["time"]
        assert sum(point["mib_per_s"] for point in curve) * step == pytest.approx(128, rel=1e-3)
        assert curve[-1]["mib_per_s"] == 0


def test_of_too_many_curves_those_with_most_ranks_are_drawn_and_that_is_said() -> None:
    rows = [row("write", 1000, ranks=ranks, transfer=size) for ranks in (1, 2) for size in (8, 16, 32, 64)]
    shown, words = drawn_by_direction(rows)
    assert [each.ranks for each in shown["write"]] == [2] * 4
    assert words == "The figure shows 4 of 8 cases, those with 2 ranks."
    assert drawn_by_direction(rows[:MOST_SERIES]) == ({"write": rows[:MOST_SERIES]}, "")


def test_the_implementations_of_mpi_io_stand_side_by_side(nersc: dict[str, Drawing]) -> None:
    for panel in nersc["mpi-io"].panels:
        assert {value["series"] for value in points(panel.spec)} == {"OMPIO", "ROMIO"}
        assert len({value["group"] for value in points(panel.spec)}) == 4
