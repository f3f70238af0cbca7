"""The figures of FLASH-IO's files from a made-up run: curves, sizes, printed marks, and pairs."""

from typing import Any

import pytest

import synthetic_run
from rows import found, row, with_samples
from weir.answers.answer import Certainty, Choice, Count, Quantity, Ratio, Threshold
from weir.figures.figure import Drawing
from weir.flash.dump_costs import data_bytes, data_bytes_of_all
from weir.flash.questions.dump_ranks import AVERAGE_METRIC, judge_dump_ranks
from weir.flash.questions.dump_sizes import COMPUTED, MEASURED, MISSING, judge_dump_sizes
from weir.flash.questions.pairs import judge_pairs
from weir.questions.claim import Verdict
from weir.questions.question import draw
from weir.report.gather import Contents, gather
from weir.report.section import Section, make_sections
from weir.results.row import Row, with_metric
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


def test_an_answer_says_which_sizes_are_by_formula(contents: Contents) -> None:
    rows = contents.rows_by_figure["dump-sizes"]
    others = [row for row in rows if row.options["block"] != 16]
    plots = [row for row in rows if row.options["block"] != 16 or row.phase != "checkpoint"]
    whole, none, two = (found(judge_dump_sizes, some).answers for some in (rows, others, plots))
    assert [[one.setting for one in some] for some in (whole, none, two)] == [
        [""] * 3,
        ["by formula"] * 3,
        ["by formula", "", ""],
    ]
    assert {one.subject[1:] for one in whole} == {("16³ cells a block", "1 rank")}
    sure, by_formula = (some[0].value for some in (whole, none))
    assert isinstance(sure, Quantity) and isinstance(by_formula, Quantity)
    data = data_bytes("checkpoint", 1, 16)
    assert (sure.n, by_formula.n, by_formula.median) == (12, 0, data) and data < sure.median < 1.01 * data
    assert [some[0].certainty for some in (whole, none)] == [Certainty.SURE, Certainty.WITHIN]


def test_sizes_grow_with_the_blocks_and_exceed_their_data_by_metadata(sections: dict[str, Section]) -> None:
    numbers = drawing(sections["dump-sizes"]).finding.numbers
    growths = {one.subject: one for one in numbers if " over " in one.subject[1]}
    assert len(growths) == 6 and {ranks for _, _, ranks in growths} == {"16 ranks"}
    measured = growths["checkpoint", "16³ over 8³", "16 ranks"]
    assert (measured.value, measured.remark) == (Ratio(pytest.approx(16, rel=0.01), None, None, 12), "")
    computed = growths["checkpoint", "32³ over 16³", "16 ranks"]
    assert (computed.value, computed.remark) == (
        Ratio(pytest.approx(8, rel=0.01), None, None, 0),
        "by formula",
    )
    least, most = (one.value for one in numbers if one.remark in ("least metadata", "most metadata"))
    assert isinstance(least, Quantity) and isinstance(most, Quantity) and least.metric.unit == "KiB"
    assert 8 < least.median < most.median < 16


def test_what_exceeds_the_free_space_is_missing_and_told(
    contents: Contents, sections: dict[str, Section]
) -> None:
    free = contents.machine["file_system"]["available_bytes"]
    values = points(drawing(sections["dump-sizes"]).panels[1].spec)
    large = {point["x"]: point["state"] for point in values if point["series"] == "32³ cells a block"}
    for ranks, state in large.items():
        assert (state == MISSING) == (ranks > 8 and data_bytes_of_all(ranks, 32) > free)
    assert MISSING in large.values()
    *_, missing, space = drawing(sections["dump-sizes"]).finding.numbers
    assert (missing.subject, missing.remark) == (("all three", "32³", "128 ranks"), "would not fit")
    assert isinstance(missing.value, Quantity) and missing.value.median == data_bytes_of_all(128, 32)
    assert isinstance(space.value, Quantity) and space.value.median == free < missing.value.median


def test_unknown_free_space_makes_nothing_missing(contents: Contents) -> None:
    drawn = draw("dump-sizes", contents.rows_by_figure["dump-sizes"], {})
    assert drawn is not None
    assert MISSING not in {point["state"] for panel in drawn.panels for point in points(panel.spec)}
    assert "would not fit" not in {one.remark for one in drawn.finding.numbers}


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
    numbers = drawing(sections["pairs"]).finding.numbers
    synced = [one for one in numbers if one.subject[:2] == ("synced", "not synced")]
    aligned = [one for one in numbers if one.subject[:2] == ("aligned to 1 MiB", "not aligned")]
    assert len(synced) == len(aligned) == 3
    assert all(isinstance(one.value, Ratio) and (one.value.high or 1) < 1 for one in synced)
    assert [one.remark for one in (*synced, *aligned)] == [""] * 3 + ["equal within 10 %"] * 3


def test_pairs_without_an_interval_are_told_apart(contents: Contents) -> None:
    rows = [with_samples(one, one.samples[:1]) for one in contents.rows if "syncing" in one.comparisons]
    finding = found(judge_pairs, rows)
    ratios = [one.value for one in finding.numbers if isinstance(one.value, Ratio)]
    assert [(one.low, one.high, one.n) for one in ratios] == [(None, None, 1)] * 3
    (answer,) = finding.answers
    assert (answer.certainty, answer.action) == (Certainty.OPEN, "more-samples")
    assert answer.open_cases == {row.case for row in rows}


def test_pairs_are_a_question_for_each_option(sections: dict[str, Section]) -> None:
    answers = {one.subject: one for one in drawing(sections["pairs"]).finding.answers}
    assert len(answers) == 8
    syncing = answers["syncing",]
    assert syncing.certainty is Certainty.SURE and isinstance(syncing.value, Choice)
    assert (syncing.value.best, syncing.value.other) == ("not synced", "synced")


def test_a_peak_is_an_answer_of_each_size_of_blocks(sections: dict[str, Section]) -> None:
    finding = drawing(sections["dump-ranks"]).finding
    at = {one.subject: one.value for one in finding.answers}
    assert at == {
        (f"{side}³ cells a block",): Threshold("ranks", f"{ranks} ranks")
        for side, ranks in ((8, 2), (16, 4), (32, 2))
    }
    assert {(one.certainty, one.open_cases) for one in finding.answers} == {(Certainty.SURE, frozenset())}
    files = {one.subject[1:]: one for one in finding.numbers if one.subject[0] == "16³ cells a block"}
    checkpoint = files["checkpoint", "4 ranks"]
    assert len(files) == 3 and checkpoint.remark == "highest"
    assert isinstance(checkpoint.value, Quantity) and checkpoint.value.n == 12 and checkpoint.value.low


def dumps(*speeds: float, phase: str = "checkpoint", **changes: Any) -> list[Row]:
    """One curve of a file on 1, 2, 4, … ranks."""
    how = {"phase": phase, "block": 8, "blocks": 0, "moves": "write", **changes}
    return [row(**how, mib_per_s=speed, ranks=1 << at) for at, speed in enumerate(speeds)]


def test_peaks_that_are_open_want_samples() -> None:
    peaked, level = dumps(100, 200, 100), dumps(100, 190, 200, phase="plot", spread=0.1)
    (sure,), (part,), (none,) = (
        found(judge_dump_ranks, rows).answers for rows in (peaked, [*peaked, *level], level)
    )
    assert (sure.value, sure.certainty) == (Threshold("ranks", "2 ranks"), Certainty.SURE)
    assert (part.value, part.certainty) == (Threshold("ranks", "2 ranks"), Certainty.WITHIN)
    assert (none.value, none.certainty, none.action) == (None, Certainty.OPEN, "more-samples")
    assert part.open_cases == none.open_cases == {one.case for one in level[1:]}
    numbers = [(one.subject[2], one.remark) for one in found(judge_dump_ranks, level).numbers]
    assert numbers == [("4 ranks", "may be highest"), ("2 ranks", "may be highest")]


def test_peaks_at_the_end_may_rise_and_those_apart_are_a_range() -> None:
    rising, falling = dumps(100, 200, 400), dumps(400, 200, 100, phase="plot")
    (at_end,), (apart,) = (found(judge_dump_ranks, rows).answers for rows in (rising, [*rising, *falling]))
    assert at_end.value == Threshold("ranks", "4 ranks", rising=True) and at_end.action == "try-more"
    assert (apart.value, apart.certainty) == (Threshold("ranks", "1 rank", "4 ranks"), Certainty.SURE)
    assert found(judge_dump_ranks, rising).numbers[0].remark == "highest, the most measured"


def test_larger_blocks_stand_against_the_smallest(sections: dict[str, Section]) -> None:
    finding = drawing(sections["dump-blocks"]).finding
    answers = {one.subject: one.value for one in finding.answers}
    kinds = ("checkpoint", "plot file without corners", "plot file with corners", "average of the three")
    assert answers.keys() == {(kind,) for kind in kinds} and finding.certainty is None
    assert not finding.open_cases
    best = answers["checkpoint",]
    assert isinstance(best, Choice) and best.differs and best.ratio.low and best.ratio.low > 1
    assert (best.best, best.other) == ("16³ cells a block", "8³ cells a block")
    slower, faster, *ratios = finding.numbers
    assert [(one.value, one.remark) for one in (slower, faster)] == [
        (Count(36, 36), "surely slower"),
        (Count(0, 36), "surely faster"),
    ]
    assert len({one.subject for one in ratios}) == 36
    at = ("16³ cells a block", "8³ cells a block", "checkpoint", "4 ranks")
    (ratio,) = [one.value for one in ratios if one.subject == at]
    assert isinstance(ratio, Ratio) and ratio.n == 12 and ratio.times == best.ratio.times


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
