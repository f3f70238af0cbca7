"""The table of the HPC Challenge, by HPCC's names."""

import pytest

from hpcc_samples import NUMBERS, hpcc_rows
from weir.results.row import Row
from weir.tables.hpcc import NO_RULES, QUANTITIES
from weir.tables.table import Table, make_tables


def table_of(name: str, rows: list[Row]) -> tuple[Table, dict[str, tuple[str, ...]]]:
    """The table, and its cells by the first one of each line."""
    (made,) = make_tables(name, rows)
    assert all(len(line) == len(made.columns) for line in made.rows)
    return made, {line[0]: line[1:] for line in made.rows}


def test_the_table_has_hpccs_names_and_units() -> None:
    table, cells = table_of("hpcc", hpcc_rows())
    assert list(cells) == [name for name in QUANTITIES if name in cells], "in HPCC's order"
    assert cells["HPL_Tflops"] == ("Tflop/s", "0.100 [0.0800, 0.120] (n = 6)")
    assert cells["StarSTREAM_Copy"][1].startswith("20.0 [")
    assert cells["MPIRandomAccess_LCG_GUPs"][1].startswith("0.125 [")
    assert "MPIRandomAccess_GUPs" not in cells and "HPL_energy_J" not in cells
    assert cells["RandomlyOrderedRingBandwidth_GBytes"][1].startswith("15.0 [")
    (number,) = table.data["quantities"]["HPL_Tflops"]
    assert number["median_flop_per_s"] == pytest.approx(100e9) and number["rules"] is None
    assert table.notes == (NO_RULES,)
    assert make_tables("hpcc", []) == []


def test_each_number_is_of_a_baseline_or_an_optimized_run() -> None:
    rules = {phase: {"rules": "baseline"} for phase in NUMBERS if phase != "random-ring"}
    other = rules | {"ptrans": {"rules": "optimized"}}
    table, cells = table_of("hpcc", [*hpcc_rows(details=rules, ranks=1), *hpcc_rows(details=other)])
    assert [column.heading for column in table.columns] == ["quantity", "unit", "run", "1 rank", "2 ranks"]
    assert cells["HPL_Tflops"][1] == "baseline"
    assert cells["PTRANS_GBs"][1] == "baseline (1 rank), optimized (2 ranks)"
    assert cells["RandomlyOrderedRingLatency_usec"][1] == "unknown"
    assert [one["rules"] for one in table.data["quantities"]["PTRANS_GBs"]] == ["baseline", "optimized"]
    assert NO_RULES not in table.notes


def test_energy_is_told_where_it_is_known() -> None:
    _, cells = table_of("hpcc", hpcc_rows(more={"hpl": {"energy_j": 50.0, "flop_per_joule": 2.5e9}}))
    assert cells["HPL_Gflops_per_W"] == ("Gflop/s per W", "2.50 [2.50, 2.50] (n = 6)")
    assert cells["HPL_energy_J"] == ("J", "50.0 [50.0, 50.0] (n = 6)")
