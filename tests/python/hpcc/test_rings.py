"""HPCC's rings: the finding, the figure, and the table by HPCC's names."""

from typing import Any

import pytest

from link_samples import rows_of
from rows import found
from sample_lines import sample_line
from weir.figures.figure import State
from weir.hpcc.questions.rings import judge_rings, rings
from weir.hpcc.tables.rings import QUANTITIES
from weir.hpcc.tables.rings import rings as rings_table
from weir.results.row import Row
from weir.tables.table import check_printed

NUMBERS = {"ping-pong": (1.0, 8e9), "natural-ring": (2.0, 4e9), "random-ring": (3.0, 2e9)}


def ring_rows(samples: int = 6, ranks: int = 4) -> list[Row]:
    lines: list[dict[str, Any]] = []
    for phase, (latency_us, rate) in NUMBERS.items():
        for number in range(samples):
            drift = 1 + number / 100
            numbers = {"latency_us": latency_us * drift, "bandwidth_bytes_per_s": rate * drift}
            if phase == "ping-pong":
                numbers["least_latency_us"] = 0.5
            lines.append(sample_line("a", phase, benchmark="rings", **numbers))
    return rows_of("rings", ranks, lines)


def test_random_rings_are_held_against_ping_pong() -> None:
    finding = found(judge_rings, ring_rows())
    assert finding.title.startswith("With 4 ranks, each process has 25 % [")
    assert finding.title.endswith("of the ping-pong's bandwidth in random rings")
    assert len(finding.sentences) == 6 and finding.sentences[1].startswith("Latency, natural ring, 4 ranks: ")
    assert finding.state is State.ANSWERED
    few = found(judge_rings, ring_rows(samples=3))
    assert few.state is State.OPEN and few.open_cases == {"a"}
    assert judge_rings([], {}) is None


def test_latency_and_bandwidth_have_a_panel_with_three_curves_each() -> None:
    panels = rings(ring_rows(), {})
    assert [panel.title for panel in panels] == ["Latency", "Bandwidth per process"]
    for panel in panels:
        series = {value["series"] for value in panel.spec["data"]["values"]}
        assert series == {"ping-pong", "natural ring", "random rings"}


def test_the_table_has_hpccs_names_and_units() -> None:
    table = rings_table(ring_rows())
    assert table is not None
    cells = {line[0]: line[1] for line in table.rows}
    assert list(cells) == list(QUANTITIES)
    assert cells["MinPingPongLatency_usec"].startswith("0.500 ")
    assert cells["RandomlyOrderedRingBandwidth_GBytes"].startswith("2.05 ")
    assert cells["MaxPingPongLatency_usec"] == "none"
    (case,) = table.data["cases"]
    assert case["RandomlyOrderedRingBandwidth_GBytes"]["median_bytes_per_s"] == pytest.approx(2.05e9)
    assert rings_table([]) is None


def test_a_printed_table_names_quantities() -> None:
    check_printed("rings", ["quantity", "value"], [["RandomlyOrderedRingLatency_usec", 2.5]])
