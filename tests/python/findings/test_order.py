"""Ways in the order of their speed."""

from rows import row
from weir.analyse.metric import Metric
from weir.findings.against import BACKEND_OPTIONS, judge_backend
from weir.findings.order import order_words
from weir.findings.words import backend_words


def test_neighbours_are_joined_by_how_sure_their_difference_is() -> None:
    speeds = {"posix": 1000, "mpiio": 990, "hdf5": 850, "pnetcdf": 200}
    rows = [row("write", speed, backend=name) for name, speed in speeds.items()]
    assert order_words(rows, BACKEND_OPTIONS, backend_words) == (
        "Write, fastest first: POSIX ≈ MPI-IO independent > HDF5 ≫ PnetCDF (≈: not to be told apart).",
    )


def test_settings_are_kept_apart_and_two_ways_need_no_order() -> None:
    rows = [row("write", 1000, backend=name, ranks=ranks) for name in ("posix", "mpiio") for ranks in (1, 2)]
    assert order_words(rows, BACKEND_OPTIONS, backend_words) == ()
    rows += [row("write", 500, backend="hdf5", ranks=ranks) for ranks in (1, 2)]
    assert order_words(rows, BACKEND_OPTIONS, backend_words)[0].startswith("Write, fastest first: 1 rank: ")


def test_options_of_one_backend_keep_it_from_no_comparison() -> None:
    rows = [row("write", 1000), row("write", 500, backend="hdf5", chunk=1)]
    finding = judge_backend(rows, {})
    assert finding is not None and finding.title.startswith("POSIX writes 2.00 times as fast as HDF5")


def test_a_ratio_is_far_only_where_its_whole_interval_is() -> None:
    speeds = {"posix": 1000, "mpiio": 850, "hdf5": 410}  # 2.07 times [1.99, 2.16]
    rows = [row("write", speed, backend=name) for name, speed in speeds.items()]
    (said,) = order_words(rows, BACKEND_OPTIONS, backend_words)
    assert said == "Write, fastest first: POSIX > MPI-IO independent > HDF5."


def test_of_times_the_shortest_is_the_fastest() -> None:
    """Ten runs a second last 0.1 s."""
    seconds = Metric("elapsed_s", "s", "time", greater_is_better=False)
    rows = [
        row(
            "run",
            None,
            backend=name,
            metric=seconds,
            n=12,
            median=time_s,
            low=0.99 * time_s,
            high=1.01 * time_s,
        )
        for name, time_s in (("hdf5", 0.9), ("posix", 0.1), ("mpiio", 0.3))
    ]
    assert order_words(rows, BACKEND_OPTIONS, backend_words) == (
        "Run, fastest first: POSIX ≫ MPI-IO independent ≫ HDF5.",
    )
