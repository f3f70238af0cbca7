"""Figures 1 to 5 and the roofline: what they draw of a run, of several sides, and of printed numbers."""

from dataclasses import replace
from typing import Any

import pytest

from hpcc_samples import hpcc_rows
from network_samples import network_row
from rows import found
from weir.answers.answer import Quantity, Ratio
from weir.compare.overlaid import SIDE
from weir.compare.profile import Profile, as_profile_row, read_profile, rows_of
from weir.compare.shipped import shipped_machines
from weir.figures.figure import Spec
from weir.network.questions.messages import call_bandwidth_ranks
from weir.questions.question import draw
from weir.ratios.curves import curve_panels
from weir.ratios.derived import balance_rows
from weir.ratios.kiviat import kiviat_chart
from weir.ratios.quantities import QUANTITIES
from weir.ratios.questions.ratios import (
    GREATEST,
    hpcc_balance,
    hpcc_ratios,
    judge_curves,
    judge_roofline,
    judge_shares,
    roofline,
    shares_of,
)
from weir.ratios.roofline import KERNELS
from weir.ratios.systems import System, normalised, system_of
from weir.results.marks import Mark
from weir.results.row import Row

MORE = {
    "fft": {"flop_per_s": 4e9},
    "random-access": {"updates_per_s": 0.02e9},
    "star-triad": {"bandwidth_bytes_per_s": 14e9},
}
SIZES = {
    "hpl": {"size": 5760},
    "fft": {"size": 1 << 20},
    "random-access": {"words": 1 << 25},
    "star-triad": {"size": 10**7},
    "star-dgemm": {"size": 1600},
    "ptrans": {"size": 2880},
}


def rows(ranks: int = 2, **changes: Any) -> list[Row]:
    return hpcc_rows(ranks=ranks, more=MORE, details=SIZES, **changes)


def maxima() -> System:
    return system_of("maxima", rows_of(read_profile(shipped_machines()["saini-2006-maxima"])))


def values(spec: Spec) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = spec["data"]["values"]
    return data


def test_in_table_2_each_greatest_is_1() -> None:
    shares = normalised([maxima()])
    assert [one.quantity for one in shares] == [*QUANTITIES]
    assert {one.share for one in shares} == {1.0}


def test_the_best_of_a_column_is_1_and_others_are_a_share_of_it() -> None:
    names = ("nec-sx-8", "sgi-altix-bx2-numalink3", "cray-opteron-cluster")
    systems = [system_of(name, rows_of(read_profile(shipped_machines()[name]))) for name in names]
    found = {(one.system.name, one.quantity.column): one.share for one in normalised([*systems, maxima()])}
    assert found["maxima", "random rings"] == 1.0
    assert found["sgi-altix-bx2-numalink3", "random rings"] == 93.81 / 94
    assert found["nec-sx-8", "random rings"] == 59.64 / 94
    assert found["cray-opteron-cluster", "DGEMM"] == found["maxima", "DGEMM"] == 1.0
    assert ("nec-sx-8", "STREAM copy") not in found, "a bound is no value"


def test_a_system_of_several_sizes_is_that_of_the_most_ranks() -> None:
    altix = system_of("altix", rows_of(read_profile(shipped_machines()["sgi-altix-bx2-numalink4"])))
    assert altix.rows["random rings / HPL"].median == 23.18


def test_global_numbers_of_small_systems_are_hollow_and_not_left_out() -> None:
    shares = {one.quantity.column: one for one in shares_of(rows()) if one.system.name != GREATEST}
    hollow = {column for column, one in shares.items() if one.hollow}
    assert hollow == {"FFT", "PTRANS", "RandomAccess"}
    assert shares["PTRANS"].share == 1.0
    assert not any(one.hollow for one in normalised([maxima()])), "8.729 Tflop/s"
    cached = [one for one in shares_of(rows(cached={"star-copy"})) if one.quantity.column == "STREAM copy"]
    assert [one.hollow for one in cached] == [True, False]


def test_intervals_are_shares_too() -> None:
    (one,) = (one for one in shares_of(rows()) if one.quantity.column == "HPL" and one.row.n == 6)
    assert (one.share, one.low, one.high) == pytest.approx(
        (100e9 / 8.729e12, 80e9 / 8.729e12, 120e9 / 8.729e12)
    )


def test_figure_5_has_bars_and_a_kiviat_diagram() -> None:
    bars, kiviat = hpcc_ratios(rows(), {})
    drawn = values(bars.spec)
    assert {one["series"] for one in drawn} == {"this machine, 2 ranks", GREATEST}
    assert len(drawn) == 2 * len(QUANTITIES)
    printed = next(one for one in drawn if one["series"] == GREATEST and one["what"] == "random rings / HPL")
    assert printed["number"] == "94 B/kflop (n = 1, printed)"
    points = values(kiviat.spec["layer"][2])
    top = next(one for one in points if one["what"] == "HPL" and one["series"] == GREATEST)
    assert (top["x"], top["y"]) == (0.0, 1.0)
    assert all(one["x"] ** 2 + one["y"] ** 2 == pytest.approx(one["share"] ** 2, abs=2e-4) for one in points)


def test_fewer_than_three_quantities_make_no_diagram() -> None:
    few = [row for row in rows() if row.phase in ("hpl", "star-copy")]
    shares = [one for one in shares_of(few) if one.quantity.column in ("HPL", "STREAM copy")]
    assert len({one.quantity for one in shares}) == 2
    assert kiviat_chart(shares) is None


def test_the_numbers_say_what_is_printed() -> None:
    finding = found(judge_shares, rows())
    numbers = {one.subject: one for one in finding.numbers}
    printed = numbers["PTRANS / HPL", GREATEST]
    assert isinstance(printed.value, Quantity) and (printed.value.median, printed.value.n) == (0.039, 1)
    assert printed.remark.endswith("table 2")
    assert "below 1 Tflop/s" in numbers["PTRANS / HPL", "this machine, 2 ranks"].remark
    assert judge_shares([row for row in rows() if row.phase != "hpl"], {}) is None


def test_figures_1_to_4_have_a_point_a_case_and_the_printed_ratios_as_lines() -> None:
    panels = hpcc_balance([*rows(ranks=2), *rows(ranks=4)], {})
    assert [panel.title for panel in panels] == [
        "Random rings, all processes",
        "Random rings for each operation",
        "STREAM copy, all processes",
        "STREAM copy for each operation",
    ]
    moved, ratio = values(panels[2].spec), values(panels[3].spec)
    assert [(one["ranks"], one["x"], one["y"]) for one in moved] == [
        (2, pytest.approx(100), pytest.approx(40)),
        (4, pytest.approx(100), pytest.approx(80)),
    ]
    assert [one["y"] for one in ratio] == [pytest.approx(0.4), pytest.approx(0.8)]
    assert levels(panels[3].spec) == {
        0.36: "SGI Altix BX2: above 0.36",
        0.84: "Cray Opteron cluster: from 0.84",
        1.07: "Cray Opteron cluster: up to 1.07",
        2.67: "NEC SX-8: above 2.67",
    }
    assert levels(panels[1].spec) == {
        23.18: "SGI Altix BX2, NUMAlink4, 2,024 CPUs: 23.18",
        24.41: "Cray Opteron cluster, 64 CPUs: 24.41",
        59.64: "NEC SX-8, 576 CPUs: 59.64",
        93.81: "SGI Altix BX2, NUMAlink3, 440 CPUs: 93.81",
        203.12: "SGI Altix BX2, NUMAlink4, 506 CPUs: 203.12",
    }
    assert not levels(panels[0].spec) and len(found(judge_curves, rows()).numbers) == 2


def levels(spec: Spec) -> dict[float, str]:
    own = [one["data"]["values"][0] for one in spec["layer"] if "data" in one]
    return {one["y"]: one["text"] for one in own}


def test_sides_of_a_comparison_are_systems() -> None:
    both = [
        replace(row, options={**row.options, SIDE: name}) for name in ("before", "after") for row in rows()
    ]
    drawn = {one["series"] for one in values(hpcc_ratios(both, {})[0].spec)}
    assert drawn == {"before, 2 ranks", "after, 2 ranks", GREATEST}
    assert {one["series"] for one in values(hpcc_balance(both, {})[0].spec)} == {"before", "after"}
    assert [panel.title for panel in roofline(both, {})] == ["before, 2 ranks", "after, 2 ranks"]


def test_a_profile_is_a_side_by_the_balance_that_it_holds() -> None:
    held = tuple(as_profile_row(row) for row in (*rows(), *balance_rows(rows())))
    mailed = Profile(name="x", study="hpcc", created_at="2026", weir_version="0.1.0", rows=held)
    sides = {"run": rows(), "mailed": rows_of(mailed)}
    both = [replace(row, options={**row.options, SIDE: name}) for name, some in sides.items() for row in some]
    found = {(one.system.name, one.quantity.column): one.share for one in shares_of(both)}
    columns = [one.column for one in QUANTITIES]
    assert [found["mailed, 2 ranks", one] for one in columns] == [
        found["run, 2 ranks", one] for one in columns
    ]


def test_printed_machines_alone_have_no_curves() -> None:
    assert curve_panels({"sx-8": rows_of(read_profile(shipped_machines()["nec-sx-8"]))}) == []


def test_a_kernel_is_held_against_the_roof_at_its_intensity() -> None:
    shares = {one.subject[1:]: one.value for one in found(judge_roofline, rows()).numbers}
    # Roofs: memory 2 ranks x 20 GB/s (copy, drifting), DGEMM 2 x 62.5 Gflop/s.
    copy, ceiling = 2 * 20e9, 2 * 62.5e9
    expected = {
        ("STREAM triad", "0.0833 flop/B"): 2 * 14e9 / 12 / (copy / 12),
        ("PTRANS", "0.0417 flop/B"): (5e9 / 8) / (copy / 24),
        ("RandomAccess", "0.0625 flop/B"): 0.02e9 / (copy / 16),
        ("FFT", "3.12 flop/B"): 4e9 / min(ceiling, copy * 3.125),
        ("DGEMM", "100 flop/B"): 1.0,
        ("HPL", "240 flop/B"): 100e9 / ceiling,
    }
    assert {key: one.times for key, one in shares.items() if isinstance(one, Ratio)} == {
        key: pytest.approx(value) for key, value in expected.items()
    }
    assert judge_roofline([row for row in rows() if row.phase != "star-dgemm"], {}) is None
    assert len({one.name for one in KERNELS}) == len(KERNELS)


def test_kernels_without_a_size_are_not_drawn() -> None:
    bare = hpcc_rows(more=MORE)
    assert judge_roofline(bare, {}) is None and roofline(bare, {}) == []


def test_calls_of_other_machines_are_crosses_in_their_panel() -> None:
    mark = Mark("NEC SX-8", "figure 13", "call", 2, 47.4e9)
    own = [replace(network_row("Sendrecv", 2**20, [1.0] * 6), marks=(mark,), ranks=ranks) for ranks in (2, 4)]
    others = [replace(network_row("Exchange", 2**20, [1.0] * 6), ranks=ranks) for ranks in (2, 4)]
    panels = {panel.title: panel.spec for panel in call_bandwidth_ranks([*own, *others], {})}
    crosses = {
        title: [one["data"]["values"] for one in spec["layer"] if "data" in one]
        for title, spec in panels.items()
    }
    ((cross,),) = crosses["Sendrecv"]  # in MiB/s, with five digits
    assert (cross["x"], cross["median"], cross["state"]) == (2.0, 45204.0, "printed for NEC SX-8")
    assert crosses["Exchange"] == []


def test_each_machine_that_others_printed_has_its_own_mark() -> None:
    marks = tuple(Mark(name, "figure 13", "call", 2, rate) for name, rate in (("a", 1e9), ("b", 2e9)))
    one = replace(network_row("Sendrecv", 2**20, [1.0] * 6), marks=marks)
    layer = next(part for part in call_bandwidth_ranks([one], {})[0].spec["layer"] if "data" in part)
    shape = layer["encoding"]["shape"]["scale"]
    drawn = dict(zip(shape["domain"], shape["range"], strict=True))
    assert drawn["printed for a"] != drawn["printed for b"]


@pytest.mark.parametrize("name", ["hpcc-ratios", "hpcc-balance", "roofline"])
def test_figures_are_found_by_their_names(name: str) -> None:
    drawing = draw(name, rows(), {})
    assert drawing and drawing.panels and drawing.finding.conditions
    assert draw(name, [], {}) is None
