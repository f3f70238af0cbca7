"""The first screen of a report of the HPC Challenge."""

from collections.abc import Sequence
from typing import Any

from hpcc_samples import CACHE_WARNING, hpcc_rows
from link_samples import rows_of
from rows import row
from sample_lines import sample_line
from weir.report.headline import Tile, headline
from weir.results.row import Row

CARD = {"host": {"name": "vm"}}
MORE = {"star-triad": {"bandwidth_bytes_per_s": 15e9}, "random-access": {"updates_per_s": 0.1e9}}


def tiles_of(rows: Sequence[Row]) -> dict[str, Tile]:
    return {tile.label: tile for tile in headline(list(rows), [], CARD, 0).tiles}


def test_numbers_of_the_caches_are_marked_and_counted() -> None:
    rows = hpcc_rows(more=MORE, cached={"star-triad", "star-copy", "random-access"})
    head = headline(rows, [], CARD, 0)
    assert [tile.label for tile in head.tiles] == [
        "HPL",
        "PTRANS",
        "RandomAccess (in the caches)",
        "DGEMM, each rank",
        "STREAM triad, each rank (in the caches)",
        "Random rings, latency",
    ]
    assert head.caveats == (
        "3 of 8 results are of the processor's caches in place of memory: 16 MiB on a node are less "
        "than four times the last cache of 260 MiB. Take more --memory, or a larger size, to measure memory.",
    )
    assert headline(hpcc_rows(more=MORE), [], CARD, 0).caveats == ()


def test_one_of_several_sizes_in_the_caches_is_an_example() -> None:
    line = sample_line("a", "triad", benchmark="stream", bandwidth_bytes_per_s=20e9)
    problems = ("16 MiB are less", "32 MiB are less")
    lines = [line | {"warnings": [CACHE_WARNING | {"problem": one}]} for one in problems]
    caveat = headline(rows_of("stream", 2, lines), [], CARD, 0).caveats[-1]
    assert "wholly or in part: for example, 16 MiB are less. Take" in caveat, "samples do not say how much"


def test_a_test_that_runs_alone_is_marked_too() -> None:
    line = sample_line("a", "triad", benchmark="stream", bandwidth_bytes_per_s=20e9)
    line |= {"details": {"rules": "baseline"}, "warnings": [CACHE_WARNING]}
    rows = rows_of("stream", 2, [line | {"round": number} for number in range(6)])
    head = headline(rows, [], CARD, 0)
    assert head.summary.startswith("vm gives 20.0 [20.0, 20.0] GB/s (n = 6, in the caches) for triad")
    assert [(tile.label, tile.value, tile.unit) for tile in head.tiles] == [
        ("Triad (in the caches)", "20.0", "GB/s")
    ]
    few = headline(rows_of("stream", 2, [line]), [], CARD, 0)
    assert "20.0 GB/s (no interval: n = 1, below 6, in the caches) for triad" in few.summary


def test_bandwidths_are_in_hpccs_unit_and_those_of_files_in_theirs() -> None:
    tiles = tiles_of([*hpcc_rows(more=MORE), row("write", 500)])
    assert {label: tile.unit for label, tile in tiles.items()} == {
        "Write, synced at close": "MiB/s",
        "Read": "",
        "HPL": "Gflop/s",
        "PTRANS": "GB/s",
        "RandomAccess": "GUP/s",
        "DGEMM, each rank": "Gflop/s",
        "STREAM triad, each rank": "GB/s",
        "Random rings, latency": "µs",
    }
    assert (tiles["PTRANS"].value, tiles["STREAM triad, each rank"].value) == ("5.00", "15.0")
    assert tiles["PTRANS"].interval == "95 % interval [4.00, 6.00], n = 6"


def test_the_tests_with_the_most_ranks_stand_first_in_whatever_order_they_ran() -> None:
    rates: dict[int, Any] = {1: 10e9, 4: 40e9, 2: 20e9}
    rows = [
        one
        for ranks, rate in rates.items()
        for one in hpcc_rows(ranks=ranks, more={"fft": {"flop_per_s": rate}})
    ]
    for some in (rows, rows[::-1]):
        tiles = tiles_of(some)
        assert (tiles["FFT"].value, tiles["FFT"].setting) == ("40.0", "4 ranks")
        assert headline(some, [], CARD, 0).summary.endswith("with 4 ranks on vm.")
