"""HPCC's rings: the finding, the figure, and the table by HPCC's names."""

from dataclasses import replace
from typing import Any

import pytest

from link_samples import rows_of
from rows import found
from sample_lines import sample_line
from weir.answers.answer import Certainty, Quantity, Ratio
from weir.hpcc.questions.rings import judge_rings, rings
from weir.hpcc.tables.rings import QUANTITIES
from weir.hpcc.tables.rings import rings as rings_table
from weir.results.row import Row
from weir.tables.table import check_printed

WHAT = ("latency", "bandwidth per process")
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
    (kept,) = finding.answers
    assert (kept.subject, kept.certainty, kept.open_cases) == (("4 ranks",), Certainty.SURE, frozenset())
    assert isinstance(kept.value, Ratio) and kept.value.low is not None and kept.value.high is not None
    assert kept.value.times == pytest.approx(0.25)
    assert 0.2 < kept.value.low < 0.25 < kept.value.high < 0.3
    assert (kept.value.unit, kept.value.of) == ("%", "of ping-pong")
    assert judge_rings([], {}) is None


def test_each_ring_has_its_latency_and_bandwidth() -> None:
    finding = found(judge_rings, ring_rows())
    values = {one.subject: one.value for one in finding.numbers if isinstance(one.value, Quantity)}
    assert len(values) == 6
    latency, bandwidth = (values[of, "natural ring", "4 ranks", ""] for of in WHAT)
    assert (latency.median, latency.n) == (pytest.approx(2.05), 6)
    assert (bandwidth.median, bandwidth.n) == (pytest.approx(4.1e9), 6)


def test_few_samples_leave_open_what_random_rings_keep() -> None:
    few = found(judge_rings, ring_rows(samples=3))
    assert few.certainty is Certainty.OPEN and few.open_cases == {"a"}


def test_the_most_ranks_speak_and_all_are_numbers() -> None:
    both = [*ring_rows(), *(replace(one, case="b") for one in ring_rows(ranks=8))]
    finding = found(judge_rings, both)
    assert finding.answers[0].subject == ("8 ranks",)
    ratios = [one.subject[2] for one in finding.numbers if isinstance(one.value, Ratio)]
    assert ratios == ["4 ranks", "8 ranks"]


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
