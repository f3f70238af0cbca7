"""Figures of what lies behind the results: latencies and time."""

from typing import Any

import pytest

import synthetic_run
from rows import row
from weir.analyse.latency import PooledLatency
from weir.figures._few import MOST, fewest
from weir.figures.drawing import Drawing, draw
from weir.figures.latency import binned
from weir.report.gather import gather
from weir.store.run_directory import RunDirectory


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Drawing]:
    run = synthetic_run.write_run(tmp_path_factory.mktemp("run"), study_name="ior-nersc")
    contents = gather(RunDirectory(run))
    return {drawing.name: drawing for drawing in draw(contents.rows_by_figure, contents.machine)}


def values(spec: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = spec["data"]["values"]
    return found


def test_the_shares_of_a_latency_curve_add_up(drawings: dict[str, Drawing]) -> None:
    for panel in drawings["latency"].panels:
        for series in {value["series"] for value in values(panel.spec)}:
            shares = [value["share"] for value in values(panel.spec) if value["series"] == series]
            assert sum(shares) == pytest.approx(1.0)
            assert shares[0] == shares[-1] == 0


def test_bins_between_two_peaks_are_empty_and_not_missing() -> None:
    pooled = PooledLatency("write", 4, 1, 1e-6, 1e-3, 1e-2, 0, 0.0, ((1.01e-6, 3), (1.01e-2, 1)))
    places = [place for place, _ in binned(pooled)]
    assert places == list(range(-61, -18))
    assert [share for _, share in binned(pooled) if share] == [0.75, 0.25]


def test_a_timeline_holds_the_bytes_of_its_sample_and_ends_with_the_phase(
    drawings: dict[str, Drawing],
) -> None:
    for panel in drawings["timeline"].panels:
        points = [value for value in values(panel.spec) if value["series"] == "2 ranks"]
        step = points[1]["time"] - points[0]["time"]
        assert sum(point["mib_per_s"] for point in points) * step == pytest.approx(128, rel=1e-3)
        assert points[-1]["mib_per_s"] == 0


def test_of_too_many_curves_those_with_most_ranks_are_drawn_and_that_is_said() -> None:
    rows = [row("write", 1000, ranks=ranks, transfer=size) for ranks in (1, 2) for size in (8, 16, 32, 64)]
    shown, words = fewest(rows)
    assert [each.ranks for each in shown] == [2] * 4
    assert words == "Drawn are 4 of 8 cases, those with 2 ranks."
    assert fewest(rows[:MOST]) == (rows[:MOST], "")


def test_the_implementations_of_mpi_io_stand_side_by_side(drawings: dict[str, Drawing]) -> None:
    for panel in drawings["mpi-io"].panels:
        assert {value["series"] for value in values(panel.spec)} == {"OMPIO", "ROMIO"}
        assert len({value["group"] for value in values(panel.spec)}) == 4
