"""Which strategy is faster, in which order, and when nobody can tell."""

from dataclasses import replace
from typing import Any

from rows import MIB, found, row, with_samples
from samples import TIME
from weir.figures.figure import State
from weir.questions.comparison import BACKEND_OPTIONS, judge_backend, judge_layout, judge_method, order_words
from weir.results.row import Row
from weir.results.words import backend_words, label_by, setting_words, strategy_words
from weir.store.records import SampleRecord


def layouts(shared: float, own: float, **changes: Any) -> list[Row]:
    """Writes of a shared file and of a file per process."""
    return [row("write", shared, **changes), row("write", own, layout="file-per-process", **changes)]


def backends(**speeds: float) -> list[Row]:
    """Writes through each back-end."""
    return [row("write", speed, backend=name) for name, speed in speeds.items()]


def test_a_sure_difference_is_named_with_its_factor() -> None:
    finding = found(judge_layout, layouts(1000, 1500))
    assert finding.title == "File per process writes 1.50 times as fast as shared file at 1 MiB transfers"
    assert "1.50 times [1.44, 1.56] (n = 12, 12)" in finding.sentences[0]


def test_overlapping_intervals_leave_it_open() -> None:
    finding = found(judge_layout, layouts(1000, 1100, spread=0.3))
    assert finding.title == "Shared file and file per process: open which is faster"
    assert "which leaves open which is faster" in finding.sentences[0]
    assert finding.state is State.OPEN and len(finding.open_cases) == 2
    assert finding.wanting == "the storage varies too much to decide that in reasonable time"


def test_what_is_surely_not_far_apart_is_answered_with_a_caveat() -> None:
    finding = found(judge_layout, layouts(1000, 1100, spread=0.08))
    assert finding.title == "Shared file and file per process: at most 1.30 times apart"
    assert finding.sentences[0].endswith("(n = 12, 12), at most 1.30 times apart.")
    assert finding.state is State.CAVEAT and len(finding.open_cases) == 2
    assert finding.wanting.startswith(
        "at most 1.30 times apart; which is faster is open: it takes about 6 times as many samples"
    )


def test_of_some_comparisons_those_are_named_that_leave_it_open() -> None:
    """Not the one that is surely not far apart."""
    rows = [
        *layouts(1000, 1500, transfer=1024),
        *layouts(1000, 1100, transfer=2048, spread=0.08),
        *layouts(1000, 1100, transfer=4096, spread=0.3),
    ]
    finding = found(judge_layout, rows)
    assert finding.state is State.PARTLY
    assert finding.wanting.startswith("1 of 3 comparisons (at 4 KiB transfers) is open: ")
    assert finding.open_cases == {one.case for one in rows[2:]}, "more samples would decide both"


def test_equal_takes_an_interval_inside_ten_percent() -> None:
    finding = found(judge_layout, layouts(1000, 1010, spread=0.03))
    assert finding.title == "Shared file and file per process: equal within 10 %"
    assert finding.sentences[0].endswith("(n = 12, 12), equal within 10 %.")
    assert (finding.state, finding.wanting, finding.open_cases) == (State.ANSWERED, "", frozenset())


def test_samples_that_are_neighbours_in_time_are_compared() -> None:
    """Both drift to a tenth of their speed, which widens their own intervals and not that of the ratio."""
    ones = with_samples(row("write", 500, layout="file-per-process"), [3000 / 1.3**at for at in range(8)])
    others = with_samples(row("write", 500), [1000 / 1.3**at for at in range(8)])
    finding = found(judge_layout, [ones, others])
    assert "3.00 times [3.00, 3.00] (n = 8 pairs)" in finding.sentences[0]


def test_of_many_comparisons_each_has_its_share_of_the_error() -> None:
    rows = [
        with_samples(row("write", 500, transfer=size, layout=layout), [speed] * 6)
        for size in (1024, 2048, 4096, 8192)
        for layout, speed in {"shared": 1000.0, "file-per-process": 1500.0}.items()
    ]
    assert found(judge_layout, rows[:2]).state is State.ANSWERED
    assert found(judge_layout, rows).state is State.OPEN, (
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
    assert [(one.of, one.state) for one in finding.asked] == [
        ("writes", State.ANSWERED),
        ("reads", State.OPEN),
    ]
    assert finding.state is State.PARTLY and finding.wanting.startswith("reads open: the storage varies")
    assert finding.open_cases == {rows[2].case, rows[3].case}
    both = found(judge_layout, rows)
    assert (both.state, both.wanting) == (State.ANSWERED, ""), (
        "each has the whole error of 5 % to itself: six pairs are enough"
    )


def test_without_intervals_nothing_is_claimed() -> None:
    finding = found(judge_layout, layouts(1000, 3000, spread=None, n=3))
    assert "too few samples to tell" in finding.title


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
    assert finding.title.startswith("POSIX reads 2.00 times as fast as MPI-IO collective")
    assert finding.sentences[0] == "Read, fastest first: POSIX > MPI-IO independent > MPI-IO collective."
    assert [sentence.split(" against")[0] for sentence in finding.details] == [
        "MPI-IO independent",
        "MPI-IO collective",
    ]


def test_what_moved_nothing_is_no_reference() -> None:
    """A bandwidth of 0 is a number, and no ratio to it exists."""
    rows = backends(posix=0.0, hdf5=100, mpiio=200)
    assert judge_backend(rows, {}) is None
    (order,) = order_words(rows, BACKEND_OPTIONS, strategy_words)
    assert order == "Write, fastest first: MPI-IO independent > HDF5 > POSIX."


def test_of_times_the_ratio_says_which_is_faster() -> None:
    rows = [
        row("run", seconds / MIB, metric=TIME, backend=backend)
        for backend, seconds in (("posix", 1.0), ("hdf5", 2.5))
    ]
    finding = found(judge_backend, rows)
    assert finding.sentences == (
        "HDF5 against POSIX: run at 1 MiB transfers 0.40 times as fast [0.38, 0.42] (n = 12, 12).",
    )


def test_benchmarks_are_told_apart() -> None:
    rows = [
        row("write", speed, benchmark=benchmark, backend=backend)
        for benchmark, speed in (("storage", 100), ("heat", 50))
        for backend in ("posix", "hdf5")
    ]
    assert {label_by(rows, {"backend"})(one) for one in rows} == {"storage", "heat"}


def test_neighbours_are_joined_by_how_sure_their_difference_is() -> None:
    rows = backends(posix=1000, mpiio=990, hdf5=850, pnetcdf=200)
    assert order_words(rows, BACKEND_OPTIONS, backend_words) == (
        "Write, fastest first: POSIX ≈ MPI-IO independent > HDF5 ≫ PnetCDF (≈: equal within 10 %).",
    )


def test_settings_are_kept_apart_and_two_ways_need_no_order() -> None:
    rows = [row("write", 1000, backend=name, ranks=ranks) for name in ("posix", "mpiio") for ranks in (1, 2)]
    assert order_words(rows, BACKEND_OPTIONS, backend_words) == ()
    rows += [row("write", 500, backend="hdf5", ranks=ranks) for ranks in (1, 2)]
    assert order_words(rows, BACKEND_OPTIONS, backend_words)[0].startswith("Write, fastest first: 1 rank: ")


def test_options_of_one_backend_keep_it_from_no_comparison() -> None:
    rows = [row("write", 1000), row("write", 500, backend="hdf5", chunk=1)]
    finding = found(judge_backend, rows)
    assert finding.title.startswith("POSIX writes 2.00 times as fast as HDF5")


def test_a_ratio_is_far_only_where_its_whole_interval_is() -> None:
    rows = backends(posix=1000, mpiio=850, hdf5=410)  # 2.07 times [1.99, 2.16]
    (said,) = order_words(rows, BACKEND_OPTIONS, backend_words)
    assert said == "Write, fastest first: POSIX > MPI-IO independent > HDF5."


def test_of_times_the_shortest_is_the_fastest() -> None:
    """Ten runs a second last 0.1 s."""
    times_s = {"hdf5": 0.9, "posix": 0.1, "mpiio": 0.3}
    rows = [row("run", t / MIB, spread=0.01, backend=name, metric=TIME) for name, t in times_s.items()]
    assert order_words(rows, BACKEND_OPTIONS, backend_words) == (
        "Run, fastest first: POSIX ≫ MPI-IO independent ≫ HDF5.",
    )


def of(method: str, speed: float) -> Row:
    return row("write", speed, method=method, backend="twophase", benchmark="cloud")


def test_each_method_is_held_against_rank_0() -> None:
    finding = found(judge_method, [of("two-phase", 3000), of("rank0", 1000), of("independent", 500)])
    assert finding.title.startswith("Two-phase writes 3.00 times as fast as all through rank 0")
    assert [words.partition(":")[0] for words in finding.sentences] == [
        "Two-phase against all through rank 0",
        "Each rank its own pieces against all through rank 0",
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
