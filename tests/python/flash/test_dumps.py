"""The figures of FLASH-IO's files from a made-up run: curves, sizes, printed marks, and pairs."""

from typing import Any

import pytest

import synthetic_run
from rows import row, with_samples
from weir.figures.figure import Drawing, State
from weir.flash.dump_costs import data_bytes, data_bytes_of_all
from weir.flash.questions.dump_ranks import AVERAGE_METRIC
from weir.flash.questions.dump_sizes import COMPUTED, MEASURED, MISSING
from weir.questions.claim import Verdict
from weir.questions.question import draw
from weir.report.gather import Contents, gather
from weir.report.section import Section, make_sections
from weir.results.row import with_metric
from weir.store.run_directory import RunDirectory

MIB = float(1 << 20)


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    folder = tmp_path_factory.mktemp("run")
    return gather(RunDirectory(synthetic_run.write_run(folder, study_name="cxfs-flash-io")))


@pytest.fixture(scope="module")
def sections(contents: Contents) -> dict[str, Section]:
    return {section.name: section for section in make_sections(contents)}


def drawing(section: Section) -> Drawing:
    assert section.drawing is not None
    return section.drawing


def points(spec: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = spec["data"]["values"]
    return found


def crosses(spec: dict[str, Any]) -> list[tuple[float, float, str]]:
    data = [
        layer["data"]["values"]
        for layer in spec["layer"]
        if "shape" in layer.get("encoding", {}) and "data" in layer
    ]
    return [(one["x"], one["median"], one["series"]) for values in data for one in values]


def test_all_figures_of_the_paper_are_drawn(sections: dict[str, Section]) -> None:
    assert {name: len(drawing(one).panels) for name, one in sections.items()} == {
        "dump-sizes": 4,
        "dump-ranks": 3,
        "dump-blocks": 4,
        "pairs": 8,
    }


def test_a_panel_a_size_of_blocks_has_a_curve_a_file(sections: dict[str, Section]) -> None:
    panels = drawing(sections["dump-ranks"]).panels
    assert [panel.title for panel in panels] == [f"{side}³ cells a block" for side in (8, 16, 32)]
    kinds = {"checkpoint", "plot file without corners", "plot file with corners"}
    assert all({point["series"] for point in points(panel.spec)} == kinds for panel in panels)
    assert sorted({point["x"] for point in points(panels[0].spec)}) == [1, 2, 4, 8, 16]


def test_printed_peaks_are_crosses_of_their_curve_in_the_unit_of_the_axis(
    sections: dict[str, Section],
) -> None:
    ranks, blocks = (drawing(sections[name]).panels for name in ("dump-ranks", "dump-blocks"))
    assert crosses(ranks[0].spec)[0] == (16, pytest.approx(152e6 / MIB, rel=1e-4), "checkpoint")
    assert len(crosses(ranks[0].spec)) == 3
    average = {(x, series) for x, _, series in crosses(blocks[3].spec)}
    assert average == {(16, "8³ cells a block"), (32, "16³ cells a block"), (8, "32³ cells a block")}
    assert "printed for Columbia" in str(ranks[0].spec["layer"])
    assert "not measured here" in drawing(sections["dump-ranks"]).finding.conditions


def test_a_mark_lies_on_the_axes(sections: dict[str, Section]) -> None:
    for name in ("dump-ranks", "dump-blocks"):
        for panel in drawing(sections[name]).panels:
            x = panel.spec["encoding"]["x"]["scale"]["domain"]
            y = panel.spec["layer"][0]["encoding"]["y"]["scale"]["domain"]
            for ranks, speed, _ in crosses(panel.spec):
                assert x[0] <= ranks <= x[1] and y[0] <= speed <= y[1]


def test_the_average_is_that_of_the_run_s_samples(contents: Contents) -> None:
    runs = [row for row in contents.rows if row.phase == "run"]
    means = [with_metric(row, AVERAGE_METRIC) for row in runs]
    for run, mean in zip(runs, means, strict=True):
        assert mean is not None and len(mean.samples) == len(mean.records) == mean.n == run.n
        assert mean.metric.is_bandwidth and mean.median != run.median
    assert with_metric(runs[0], "file_bytes") is None and with_metric(runs[0], None) is runs[0]


def test_sizes_are_measured_as_far_as_it_ran_and_computed_beyond(sections: dict[str, Section]) -> None:
    values = points(drawing(sections["dump-sizes"]).panels[0].spec)
    middle = {point["x"]: point for point in values if point["series"] == "16³ cells a block"}
    assert [ranks for ranks, point in middle.items() if point["state"] == MEASURED] == [1, 2, 4, 8, 16]
    assert middle[16]["bytes"] > data_bytes("checkpoint", 16, 16)
    assert middle[508]["state"] == COMPUTED and middle[508]["bytes"] == data_bytes("checkpoint", 508, 16)


def test_the_title_says_which_sizes_are_by_formula(contents: Contents) -> None:
    rows = contents.rows_by_figure["dump-sizes"]
    others = [row for row in rows if row.options["block"] != 16]
    plots = [row for row in rows if row.options["block"] != 16 or row.phase != "checkpoint"]
    whole, none, two = (draw("dump-sizes", found, {}) for found in (rows, others, plots))
    assert whole and none and two
    assert "by formula" not in whole.finding.title
    assert none.finding.title.count(" (by formula)") == 3
    assert two.finding.title.count("for a checkpoint (by formula)") == 1
    assert two.finding.title.count("by formula") == 1


def test_what_exceeds_the_free_space_is_missing_and_said(
    contents: Contents, sections: dict[str, Section]
) -> None:
    free = contents.machine["file_system"]["available_bytes"]
    values = points(drawing(sections["dump-sizes"]).panels[1].spec)
    large = {point["x"]: point["state"] for point in values if point["series"] == "32³ cells a block"}
    for ranks, state in large.items():
        assert (state == MISSING) == (ranks > 8 and data_bytes_of_all(ranks, 32) > free)
    assert MISSING in large.values()
    assert (
        "would not fit with blocks of 32³ from 128 ranks on"
        in drawing(sections["dump-sizes"]).finding.sentences[2]
    )


def test_unknown_free_space_makes_nothing_missing(contents: Contents) -> None:
    found = draw("dump-sizes", contents.rows_by_figure["dump-sizes"], {})
    assert found is not None
    assert MISSING not in {point["state"] for panel in found.panels for point in points(panel.spec)}


def test_only_the_benchmark_s_own_blocks_have_its_sizes(contents: Contents) -> None:
    more = [row for row in contents.rows if row.options["blocks"] == 320]
    assert more and draw("dump-sizes", more, {}) is None


def test_each_option_stands_against_its_first_value(sections: dict[str, Section]) -> None:
    panels = drawing(sections["pairs"]).panels
    titles = {panel.title: {point["series"] for point in points(panel.spec)} for panel in panels}
    assert titles["Alignment, against not aligned"] == {"aligned to 1 MiB"}
    assert titles["Syncing, against not synced"] == {"synced"}
    assert titles["Collective, against HDF5 independent"] == {"HDF5 collective"}
    others = titles["Format, against HDF5 independent"]
    assert others == {"PnetCDF independent", "MPI-IO independent", "POSIX"}


def test_a_difference_is_shown_only_where_the_interval_excludes_1(sections: dict[str, Section]) -> None:
    for panel in drawing(sections["pairs"]).panels:
        for point in points(panel.spec):
            apart = not point["low"] <= 1 <= point["high"]
            assert (point["state"] == "the interval excludes 1") == apart
    said = " ".join(drawing(sections["pairs"]).finding.sentences)
    assert "Syncing: synced, against not synced, surely slower in 3 of 3 pairs" in said
    assert "Alignment: aligned to 1 MiB, against not aligned, not shown to differ in 3 of 3 pairs." in said


def test_pairs_without_an_interval_are_told_apart(contents: Contents) -> None:
    rows = [with_samples(one, one.samples[:1]) for one in contents.rows if "syncing" in one.comparisons]
    found = draw("pairs", rows, {})
    assert found is not None
    assert found.finding.sentences == (
        "Syncing: synced, against not synced, without an interval, for lack of samples, in 3 of 3 pairs.",
    )


def test_pairs_are_a_question_for_each_option(sections: dict[str, Section]) -> None:
    asked = {one.of: one.state for one in drawing(sections["pairs"]).finding.asked}
    assert len(asked) == 8 and asked["syncing"] is State.ANSWERED


def test_the_claims_follow_the_made_up_machine(sections: dict[str, Section]) -> None:
    found = {answer.says: answer.verdict for section in sections.values() for answer in section.answers}
    expected = {
        "With blocks of 16 cubed the checkpoint is about sixteen times": Verdict.HOLDS,
        "Plot files with corners are slightly larger": Verdict.HOLDS,
        "With blocks of 8 cubed the checkpoint is written faster than the plot": Verdict.HOLDS,
        "Blocks of 8 cubed are uniformly the slowest": Verdict.HOLDS,
        "With blocks of 8 cubed the bandwidth of the checkpoint is highest on 16": Verdict.DOES_NOT_HOLD,
        "With blocks of 16 cubed the bandwidth of the checkpoint is highest on 32": Verdict.CANNOT_BE_TOLD,
        "With blocks of 32 cubed the plot file without corners is written faster": Verdict.DOES_NOT_HOLD,
        "There is no guarantee that records are aligned": Verdict.CANNOT_BE_TOLD,
        "The low performance of HDF5 is probably": Verdict.HOLDS,
        "HDF5 gathers variables from memory inefficiently": Verdict.HOLDS,
    }
    for start, verdict in expected.items():
        of_claim = {known for says, known in found.items() if says.startswith(start)}
        assert of_claim == {verdict}, start


def test_other_rows_have_none_of_these_figures() -> None:
    for name in ("dump-sizes", "dump-ranks", "dump-blocks", "pairs"):
        assert draw(name, [row("write", 1000, ranks=1), row("write", 500, ranks=2)], {}) is None
