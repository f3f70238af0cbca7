"""The first screen of a report of the HPC Challenge."""

from collections.abc import Sequence
from typing import Any

from hpcc_samples import hpcc_rows
from rows import row
from weir.report.headline import Tile, headline
from weir.results.row import Row

CARD = {"host": {"name": "vm"}}
MORE = {"star-triad": {"bandwidth_bytes_per_s": 15e9}, "random-access": {"updates_per_s": 0.1e9}}


def tiles_of(rows: Sequence[Row]) -> dict[str, Tile]:
    return {tile.label: tile for tile in headline(list(rows), [], CARD, 0).tiles}


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
