"""The tables of the HPC Challenge: by HPCC's names, and what the tests reach of simpler ones."""

import pytest

from hpcc_samples import NUMBERS, hpcc_lines, hpcc_rows
from link_samples import rows_of
from weir.hpcc.tables.hpcc import NO_RULES, QUANTITIES
from weir.hpcc.tables.hpcc_shares import EXCEEDED
from weir.results.row import Row
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


def test_a_case_with_both_kinds_of_runs_tells_both() -> None:
    rows = hpcc_rows(details={phase: {"rules": "baseline"} for phase in NUMBERS})
    (products,) = (row for row in rows if row.phase == "star-dgemm")
    products.records[-1].details["rules"] = "optimized"
    _, cells = table_of("hpcc", rows)
    assert cells["StarDGEMM_Gflops"][1] == "baseline and optimized"


def test_numbers_of_the_caches_are_marked() -> None:
    triad = {"star-triad": {"bandwidth_bytes_per_s": 15e9}}
    table, cells = table_of("hpcc", hpcc_rows(more=triad, cached={"star-triad"}))
    assert cells["StarSTREAM_Triad"][-1].endswith("(n = 6)*")
    assert cells["StarSTREAM_Copy"][-1].endswith("(n = 6)")
    assert any("in the caches: " in note for note in table.notes)
    both, _ = table_of("hpcc", [*hpcc_rows(ranks=1), *hpcc_rows(cached={"star-copy"})])
    assert [one["in_caches"] for one in both.data["quantities"]["StarSTREAM_Copy"]] == [False, True]
    unmarked, _ = table_of("hpcc", hpcc_rows())
    assert not any("in the caches: " in note for note in unmarked.notes)


def test_rates_of_the_caches_and_shares_of_them_are_marked() -> None:
    table, cells = table_of("hpcc-shares", hpcc_rows(cached={"star-copy"}))
    assert cells["PTRANS"][3:] == ("13.3 GB/s*", "0.375 [0.375, 0.375] (n = 6)*")
    assert cells["HPL"][3:] == ("125 Gflop/s", "0.800 [0.800, 0.800] (n = 6)")
    assert any("in the caches: " in note for note in table.notes)
    marked = {one["test"]: [case.get("in_caches") for case in one["cases"]] for one in table.data["tests"]}
    assert marked["PTRANS"] == [True] and marked["HPL"] == [False]
    # The number that is is held against another may be of the caches, and the simpler one not.
    triad = {"star-triad": {"bandwidth_bytes_per_s": 15e9}}
    _, cells = table_of("hpcc-shares", hpcc_rows(more=triad, cached={"star-triad"}))
    assert cells["star STREAM triad"][3:] == (
        "40.0 GB/s",
        "0.751 [0.625, 0.938] (n = 6)*",
    )
    notes = table_of("hpcc-shares", hpcc_rows())[0].notes
    assert not any("in the caches: " in note for note in notes)


def test_energy_is_told_where_it_is_known() -> None:
    _, cells = table_of("hpcc", hpcc_rows(more={"hpl": {"energy_j": 50.0, "flop_per_joule": 2.5e9}}))
    assert cells["HPL_Gflops_per_W"] == ("Gflop/s per W", "2.50 [2.50, 2.50] (n = 6)")
    assert cells["HPL_energy_J"] == ("J", "50.0 [50.0, 50.0] (n = 6)")


def test_a_share_is_of_what_all_ranks_reached_in_the_same_launches() -> None:
    table, cells = table_of("hpcc-shares", hpcc_rows())
    # 2 x 50 Gflop/s that drift by 1.25 at the median; 80 / 100.
    assert cells["HPL"][2:] == ("2 ranks", "125 Gflop/s", "0.800 [0.800, 0.800] (n = 6)")
    # 2 x 16 GB/s x 1.25 / 3; 4 x 3 / 32.
    assert cells["PTRANS"][2:] == ("2 ranks", "13.3 GB/s", "0.375 [0.375, 0.375] (n = 6)")
    assert cells["star DGEMM"][1:] == ("none measured", "", "", "")
    assert cells["RandomAccess LCG"][2:] == ("2 ranks", "", "none measured")
    assert "FFT" not in cells
    (hpl,) = (one["cases"] for one in table.data["tests"] if one["test"] == "HPL")
    numbers = {"ranks": 2, "simpler_flop_per_s": 125e9, "share": 0.8, "low": 0.8, "high": 0.8, "launches": 6}
    assert hpl == [pytest.approx(numbers | {"exceeds": False, "in_caches": False})]
    assert make_tables("hpcc-shares", []) == []


def test_what_is_held_against_is_of_those_launches_that_have_both() -> None:
    lines = [one for one in hpcc_lines(12) if one["phase"] != "hpl" or one["round"] >= 6]
    _, cells = table_of("hpcc-shares", rows_of("hpcc", 2, lines))
    # 2 x 50 Gflop/s, which drifted by 1.85 in the median of the last six.
    assert cells["HPL"][2:] == ("2 ranks", "185 Gflop/s", "0.800 [0.800, 0.800] (n = 6)")


def test_a_share_above_1_says_that_nothing_bounds_it() -> None:
    """Neither is called a bound: a test may be quicker than the simpler one."""
    fft = {"fft": {"flop_per_s": 5e9}, "star-fft": {"flop_per_s": 2e9}}
    table, cells = table_of("hpcc-shares", hpcc_rows(more=fft))
    assert cells["FFT"][4] == "1.25 [1.25, 1.25] (n = 6); above 1: no bound"
    assert EXCEEDED in table.notes
    exceeded = {one["test"]: [case.get("exceeds") for case in one["cases"]] for one in table.data["tests"]}
    assert exceeded["FFT"] == [True] and exceeded["HPL"] == [False] and exceeded["star DGEMM"] == [None]
    # The end of an interval is a share, too.
    triad = {"star-triad": {"bandwidth_bytes_per_s": 18e9}}
    _, cells = table_of("hpcc-shares", hpcc_rows(more=triad))
    assert cells["star STREAM triad"][4] == "0.901 [0.750, 1.12] (n = 6); above 1: no bound"
    table, _ = table_of("hpcc-shares", hpcc_rows())
    assert EXCEEDED not in table.notes
    assert not any("bound" in cell or "roof" in cell.lower() for line in table.rows for cell in line)


def test_a_test_has_a_line_for_each_case_that_ran_it() -> None:
    fft = {"fft": {"flop_per_s": 3e9}, "star-fft": {"flop_per_s": 2e9}}
    table, cells = table_of("hpcc-shares", [*hpcc_rows(more=fft), *hpcc_rows(ranks=1)])
    assert cells["FFT"][2:] == ("2 ranks", "4.00 Gflop/s", "0.750 [0.750, 0.750] (n = 6)")
    assert [(line[0], line[3]) for line in table.rows[:3]] == [
        ("HPL", "1 rank"),
        ("", "2 ranks"),
        ("star DGEMM", ""),
    ]


def test_what_is_held_against_is_of_the_same_series_and_the_copies() -> None:
    more = {
        "lcg-star-random-access": {"updates_per_s": 0.2e9},
        "star-random-access": {"updates_per_s": 0.7e9},
        "star-scale": {"bandwidth_bytes_per_s": 11e9},
        "star-triad": {"bandwidth_bytes_per_s": 12e9},
    }
    _, cells = table_of("hpcc-shares", hpcc_rows(more=more))
    assert cells["RandomAccess LCG"][3] == "0.400 GUP/s"
    assert cells["star STREAM triad"][3] == "40.0 GB/s"


def test_a_rank_by_itself_is_told_apart_from_all_at_once() -> None:
    _, cells = table_of("hpcc", hpcc_rows())
    assert "StarDGEMM_Gflops" in cells and "SingleDGEMM_Gflops" not in cells
    _, cells = table_of("hpcc", hpcc_rows(more={"single-dgemm": {"flop_per_s": 55e9}}))
    assert cells["SingleDGEMM_Gflops"][1].startswith("55.0 [")
