"""The tests of the HPC Challenge: the balance, the figure, and the table by HPCC's names."""

from typing import Any

import pytest

from link_samples import rows_of
from rows import found
from sample_lines import sample_line
from weir.figures.figure import State
from weir.questions.hpcc import PANELS, hpcc, judge_hpcc
from weir.results.row import Row
from weir.tables.hpcc import QUANTITIES
from weir.tables.hpcc import hpcc as hpcc_table

NUMBERS = {
    "hpl": {"flop_per_s": 80e9},
    "star-dgemm": {"flop_per_s": 50e9},
    "star-copy": {"bandwidth_bytes_per_s": 16e9},
    "random-ring": {"latency_us": 0.3, "bandwidth_bytes_per_s": 12e9},
    "lcg-random-access": {"updates_per_s": 0.1e9},
}


def hpcc_rows(samples: int = 6, ranks: int = 2) -> list[Row]:
    """Drifting all together, as a machine does."""
    lines: list[dict[str, Any]] = []
    for phase, numbers in NUMBERS.items():
        for number in range(samples):
            drifted = {key: value * (1 + number / 10) for key, value in numbers.items()}
            lines.append(sample_line("a", phase, benchmark="hpcc", round=number, **drifted))
    return rows_of("hpcc", ranks, lines)


def test_the_balance_is_of_all_ranks_and_of_the_same_launches() -> None:
    finding = found(judge_hpcc, hpcc_rows())
    assert finding.title == "HPL: 100 Gflop/s with 2 ranks, 0.800 of the rate of products of matrices"
    assert finding.sentences == (
        "HPL runs at 0.800 [0.800, 0.800] (n = 6) of the rate of products of matrices.",
        "For each of its operations, 0.400 [0.400, 0.400] (n = 6) B can be copied in memory (STREAM copy).",
        "For each of its operations, 0.300 [0.300, 0.300] (n = 6) B can cross random rings.",
    )
    assert finding.state is State.ANSWERED
    few = found(judge_hpcc, hpcc_rows(samples=3))
    assert few.state is State.OPEN and few.open_cases == {"a"}
    assert judge_hpcc([], {}) is None


def test_a_panel_has_tests_of_one_metric() -> None:
    panels = hpcc(hpcc_rows(), {})
    titles = [panel.title for panel in panels]
    assert titles == [
        "HPL and products of matrices",
        "Bandwidth of memory",
        "Rings and ping-pong of 8 B",
    ]
    series = {value["series"] for value in panels[0].spec["data"]["values"]}
    assert series == {"hpl", "star-dgemm"}
    assert len({phase for phases in PANELS.values() for phase in phases}) == sum(map(len, PANELS.values()))


def test_the_table_has_hpccs_names_and_units() -> None:
    table = hpcc_table(hpcc_rows())
    assert table is not None
    cells = {line[0]: line[1:] for line in table.rows}
    assert list(cells) == [name for name in QUANTITIES if name in cells], "in HPCC's order"
    assert cells["HPL_Tflops"][0] == "Tflop/s" and cells["HPL_Tflops"][1].startswith("0.100 [")
    assert cells["StarSTREAM_Copy"][1].startswith("20.0 [")
    assert cells["MPIRandomAccess_LCG_GUPs"][1].startswith("0.125 [")
    assert "MPIRandomAccess_GUPs" not in cells
    assert cells["RandomlyOrderedRingBandwidth_GBytes"][1].startswith("15.0 [")
    numbers = table.data["quantities"]["HPL_Tflops"]
    assert numbers[0]["median_flop_per_s"] == pytest.approx(100e9)
    assert hpcc_table([]) is None
