"""Which strategy is faster, in which order, and when nobody can tell."""

from dataclasses import replace
from typing import Any

import pytest

from rows import MIB, found, row, with_samples
from samples import TIME
from weir.answers.answer import Answer, Certainty, Choice, Number, Ratio
from weir.figures.figure import Finding
from weir.questions.comparison import judge_backend, judge_layout, judge_method
from weir.results.row import Row
from weir.results.words import backend_words, label_by, setting_words
from weir.store.records import SampleRecord


def layouts(shared: float, own: float, **changes: Any) -> list[Row]:
    """Writes of a shared file and of a file per process."""
    return [row("write", shared, **changes), row("write", own, layout="file-per-process", **changes)]


def backends(**speeds: float) -> list[Row]:
    """Writes through each back-end."""
    return [row("write", speed, backend=name) for name, speed in speeds.items()]


def only(finding: Finding) -> Answer:
    """The answer of a finding that has one."""
    (answer,) = finding.answers
    return answer


def choice(answer: Answer) -> Choice:
    assert isinstance(answer.value, Choice)
    return answer.value


def ratio(number: Number) -> Ratio:
    assert isinstance(number.value, Ratio)
    return number.value


def test_a_sure_difference_is_named_with_its_factor() -> None:
    finding = found(judge_layout, layouts(1000, 1500))
    said = only(finding)
    assert (said.subject, said.certainty, said.action) == (("write",), Certainty.SURE, "choose")
    best = choice(said)
    assert (best.best, best.other, best.differs) == ("file per process", "shared file", True)
    assert best.ratio.times == 1.5 and said.words == {"best": "file per process"}
    (number,) = finding.numbers
    assert number.subject == ("file per process", "shared file", "write") and number.remark == ""
    assert ratio(number).low == pytest.approx(1.44, abs=0.01) and ratio(number).n == 12


def test_a_way_that_is_surely_slower_elsewhere_is_not_preferred_everywhere() -> None:
    rows = [*layouts(1000, 3000, transfer=1024), *layouts(2000, 1000, transfer=2048)]
    said = only(found(judge_layout, rows))
    assert (said.certainty, said.action, said.open_cases) == (Certainty.WITHIN, "depends", frozenset())
    assert (choice(said).best, choice(said).other) == ("file per process", "shared file")


def test_the_way_that_is_fastest_of_all_is_preferred() -> None:
    """However much faster than HDF5 POSIX is."""
    said = only(found(judge_backend, backends(posix=1000, mpiio=1500, hdf5=200)))
    assert (said.certainty, said.action, said.words) == (
        Certainty.SURE,
        "choose",
        {"best": "MPI-IO independent"},
    )
    assert (choice(said).other, choice(said).ratio.times) == ("POSIX", 1.5)


def test_overlapping_intervals_leave_it_open() -> None:
    finding = found(judge_layout, layouts(1000, 1100, spread=0.3))
    said = only(finding)
    assert (said.value, said.certainty, said.action) == (None, Certainty.OPEN, "too-noisy")
    assert len(said.open_cases) == 2 and finding.open_cases == said.open_cases
    assert finding.numbers[0].remark == "open which is faster"


def test_what_is_surely_not_far_apart_is_known_within_a_factor() -> None:
    finding = found(judge_layout, layouts(1000, 1100, spread=0.08))
    said = only(finding)
    assert (said.certainty, said.action, said.words) == (Certainty.WITHIN, "apart", {"times": "1.30"})
    assert not choice(said).differs and len(said.open_cases) == 2
    assert finding.numbers[0].remark == "at most 1.30 times apart"


def test_how_many_more_samples_would_do_follows_from_the_interval() -> None:
    finding = found(judge_layout, layouts(1000, 1150, spread=0.135))
    assert (only(finding).action, only(finding).words) == ("more-times", {"times": "23"})


def test_of_some_comparisons_all_count_that_leave_it_open() -> None:
    rows = [
        *layouts(1000, 1500, transfer=1024),
        *layouts(1000, 1100, transfer=2048, spread=0.08),
        *layouts(1000, 1100, transfer=4096, spread=0.3),
    ]
    finding = found(judge_layout, rows)
    assert only(finding).certainty is Certainty.WITHIN and only(finding).action == "choose"
    assert finding.open_cases == {one.case for one in rows[2:]}, "more samples would decide both"
    assert [one.remark for one in finding.numbers] == ["", "at most 1.30 times apart", "open which is faster"]


def test_equal_takes_an_interval_inside_ten_percent() -> None:
    finding = found(judge_layout, layouts(1000, 1010, spread=0.03))
    said = only(finding)
    assert (said.certainty, said.action, said.open_cases) == (Certainty.SURE, "either", frozenset())
    assert finding.numbers[0].remark == "equal within 10 %"


def test_samples_that_are_neighbours_in_time_are_compared() -> None:
    """Both drift to a tenth of their speed, which widens their own intervals and not that of the ratio."""
    ones = with_samples(row("write", 500, layout="file-per-process"), [3000 / 1.3**at for at in range(8)])
    others = with_samples(row("write", 500), [1000 / 1.3**at for at in range(8)])
    value = ratio(found(judge_layout, [ones, others]).numbers[0])
    assert (value.times, value.n) == (pytest.approx(3), 8)
    assert (value.low, value.high) == (pytest.approx(3), pytest.approx(3))


def test_of_many_comparisons_each_has_its_share_of_the_error() -> None:
    rows = [
        with_samples(row("write", 500, transfer=size, layout=layout), [speed] * 6)
        for size in (1024, 2048, 4096, 8192)
        for layout, speed in {"shared": 1000.0, "file-per-process": 1500.0}.items()
    ]
    assert found(judge_layout, rows[:2]).certainty is Certainty.SURE
    assert found(judge_layout, rows).certainty is Certainty.OPEN, (
        "six pairs are enough for one comparison, not for four"
    )


def test_writes_and_reads_are_two_questions() -> None:
    rows = [
        with_samples(row(phase, 500, layout=layout), [speed] * 6)
        for phase, own in {"write": 1500.0, "read": 1010.0}.items()
        for layout, speed in {"shared": 1000.0, "file-per-process": own}.items()
    ]
    noisy = with_samples(rows[2], [500.0, 1500.0] * 3)
    finding = found(judge_layout, [*rows[:2], noisy, rows[3]])
    assert [(one.subject, one.certainty) for one in finding.answers] == [
        (("write",), Certainty.SURE),
        (("read",), Certainty.OPEN),
    ]
    assert finding.certainty is Certainty.WITHIN and finding.answers[1].action == "too-noisy"
    assert finding.open_cases == {rows[2].case, rows[3].case}
    both = found(judge_layout, rows)
    assert both.certainty is Certainty.SURE, "each has the whole error of 5 % to itself: six pairs are enough"


def test_without_intervals_nothing_is_claimed() -> None:
    finding = found(judge_layout, layouts(1000, 3000, spread=None, n=3))
    assert (only(finding).certainty, only(finding).action) == (Certainty.OPEN, "more-samples")
    assert finding.numbers[0].remark == "" and ratio(finding.numbers[0]).low is None


def test_a_missing_partner_gives_no_finding() -> None:
    assert judge_layout([row("write", 1000)], {}) is None
    assert judge_backend([row("write", 1000, backend="mpiio")], {}) is None


def test_rows_that_differ_otherwise_are_not_compared() -> None:
    rows = [row("write", 1000, transfer=65536), row("write", 1500, layout="file-per-process")]
    assert judge_layout(rows, {}) is None


def test_independent_and_collective_are_each_held_against_posix() -> None:
    rows = [
        row("read", 1000),
        row("read", 850, backend="mpiio", spread=0.001),
        row("read", 500, backend="mpiio", collective=True),
    ]
    finding = found(judge_backend, rows)
    best = choice(only(finding))
    assert (best.best, best.other, best.ratio.times) == ("POSIX", "MPI-IO collective", 2.0)
    assert [one.subject[:2] for one in finding.numbers] == [
        ("MPI-IO independent", "POSIX"),
        ("MPI-IO collective", "POSIX"),
    ]


def test_the_best_of_three_loses_to_none_of_them() -> None:
    """Its gain over the first may be greatest at a size that the better one lacks."""
    rows = [
        row("write", speed, backend=name, transfer=size)
        for size, speeds in (
            (1024, {"posix": 100, "mpiio": 300}),
            (2048, {"posix": 100, "mpiio": 200, "hdf5": 260}),
        )
        for name, speed in speeds.items()
    ]
    assert choice(only(found(judge_backend, rows))).best == "HDF5"


def test_what_moved_nothing_is_no_reference() -> None:
    """A bandwidth of 0 is a number, and no ratio to it exists."""
    rows = backends(posix=0.0, hdf5=100, mpiio=200)
    assert judge_backend(rows, {}) is None


def test_of_times_the_ratio_says_which_is_faster() -> None:
    rows = [
        row("run", seconds / MIB, metric=TIME, backend=backend)
        for backend, seconds in (("posix", 1.0), ("hdf5", 2.5))
    ]
    finding = found(judge_backend, rows)
    value = ratio(finding.numbers[0])
    assert (value.times, value.unit) == (pytest.approx(0.4), "times as fast")
    assert choice(only(finding)).best == "POSIX"


def test_benchmarks_are_told_apart() -> None:
    rows = [
        row("write", speed, benchmark=benchmark, backend=backend)
        for benchmark, speed in (("storage", 100), ("heat", 50))
        for backend in ("posix", "hdf5")
    ]
    assert {label_by(rows, {"backend"})(one) for one in rows} == {"storage", "heat"}


def test_options_of_one_backend_keep_it_from_no_comparison() -> None:
    rows = [row("write", 1000), row("write", 500, backend="hdf5", chunk=1)]
    finding = found(judge_backend, rows)
    assert choice(only(finding)).best == "POSIX" and choice(only(finding)).ratio.times == 2.0


def of(method: str, speed: float) -> Row:
    return row("write", speed, method=method, backend="twophase", benchmark="cloud")


def test_each_method_is_held_against_rank_0() -> None:
    finding = found(judge_method, [of("two-phase", 3000), of("rank0", 1000), of("independent", 500)])
    assert choice(only(finding)).best == "two-phase" and choice(only(finding)).ratio.times == 3.0
    assert [one.subject[:2] for one in finding.numbers] == [
        ("two-phase", "all through rank 0"),
        ("each rank its own pieces", "all through rank 0"),
    ]


def test_another_back_end_has_no_such_method() -> None:
    others = [row("write", 1, method=method, backend="hdf5") for method in ("two-phase", "independent")]
    assert judge_method([*others, of("rank0", 1000)], {}) is None
    assert [setting_words(one).rpartition(", ")[2] for one in others] == ["HDF5", "HDF5"]


def test_an_application_s_samples_say_whether_ranks_asked_together() -> None:
    for together, words in ((True, "MPI-IO collective"), (False, "MPI-IO independent"), (None, "MPI-IO")):
        said = {} if together is None else {"collective": together}
        records = (SampleRecord(case="a", phase="write", details=said),)
        options = {"method": "two-phase", "backend": "mpiio"}
        assert backend_words(replace(row("write", 1, records=records), options=options)) == words


def test_without_the_reference_or_a_method_there_is_nothing_to_say() -> None:
    assert judge_method([of("two-phase", 3000)], {}) is None
    assert judge_method([row("write", 1000)], {}) is None
