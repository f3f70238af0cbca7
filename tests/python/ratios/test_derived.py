"""The balance of a run as rows, and what printed numbers are held against."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from hpcc_samples import hpcc_rows
from network_samples import network_row
from verbs import weir_here
from weir.analyse.metric import Metric
from weir.compare.comparison import Rules, compare
from weir.compare.settings import BALANCE
from weir.compare.sides import Side, SideRun, side_of
from weir.compare.standings import Verdict
from weir.ratios.beside_printed import figures_beside_printed
from weir.ratios.derived import DUMP, READ, WRITE, balance_rows, derived_rows, with_balances
from weir.results.row import Row

MORE = {"fft": {"flop_per_s": 4e9}, "random-access": {"updates_per_s": 0.02e9}, "hpl": {"flop_per_s": 80e9}}
GIB = 2**30


def side(name: str, rows: list[Row]) -> Side:
    run = SideRun("hpcc", "2026-11-20", "0.1.0", {}, tuple(rows), on_storage=False)
    return Side(Path(name), (run,))


def values(rows: list[Row]) -> dict[str, tuple[float | None, int, int]]:
    return {row.phase: (row.median, row.n, row.ranks) for row in rows}


def test_each_quantity_is_over_hpl_of_the_same_launch() -> None:
    found = values(balance_rows(hpcc_rows()))
    assert found["STREAM copy / HPL"] == (pytest.approx(2 * 16 / 80), 6, 2)
    assert found["random rings / HPL"] == (pytest.approx(1e3 * 2 * 12 / 80), 6, 2)
    assert found["DGEMM / HPL"] == (pytest.approx(2 * 50 / 80), 6, 2)
    assert found["PTRANS / HPL"] == (pytest.approx(4 / 80), 6, 2)
    assert found["HPL"] == (pytest.approx(100e9), 6, 2)
    assert found["1 / latency of random rings"][0] == pytest.approx((1 / 0.36 + 1 / 0.39) / 2)
    assert "FFT / HPL" not in found and "RandomAccess / HPL" not in found


def test_a_drift_that_both_share_is_not_in_the_ratio() -> None:
    rows = {row.phase: row for row in balance_rows(hpcc_rows())}
    ratio = rows["STREAM copy / HPL"]
    assert ratio.low == pytest.approx(ratio.high) and rows["HPL"].low != rows["HPL"].high


def test_global_quantities_are_of_all_ranks_already() -> None:
    found = values(balance_rows(hpcc_rows(ranks=4, more=MORE)))
    assert found["FFT / HPL"] == (pytest.approx(0.05), 6, 4)
    assert found["RandomAccess / HPL"] == (pytest.approx(0.02 / 80), 6, 4)


def test_without_hpl_there_is_no_balance() -> None:
    assert balance_rows([row for row in hpcc_rows() if row.phase != "hpl"]) == []


def test_tests_as_cases_of_their_own_make_a_balance_too() -> None:
    names = {"hpl": ("hpl", "hpl"), "star-copy": ("stream", "copy"), "star-dgemm": ("dgemm", "dgemm")}
    names["random-ring"] = ("rings", "random-ring")
    rows = [
        replace(row, benchmark=names[row.phase][0], phase=names[row.phase][1], case=row.phase)
        for row in hpcc_rows()
        if row.phase in names
    ]
    found, together = values(balance_rows(rows)), values(balance_rows(hpcc_rows()))
    assert found == {phase: together[phase] for phase in found} and len(found) == 5
    assert balance_rows([row for row in rows if row.benchmark != "hpl"]) == []
    alone = [replace(row, options={"sharing": "single"}) for row in rows if row.benchmark == "stream"]
    others = [row for row in rows if row.benchmark != "stream"]
    assert "STREAM copy / HPL" not in values(balance_rows([*alone, *others])), "of one rank alone"
    twice = [*rows, *(replace(row, case="again", median=0.0, samples=(0.0,) * 6) for row in rows)]
    assert values(balance_rows(twice)) == found, "the first case counts"


def test_samples_of_rounds_apart_pair_by_opposite_ends() -> None:
    rows = {row.phase: row for row in hpcc_rows() if row.phase in ("hpl", "star-copy")}
    later = [structs.replace(record, round=10 + at) for at, record in enumerate(rows["hpl"].records[:4])]
    hpl = replace(rows["hpl"], records=tuple(later), samples=rows["hpl"].samples[:4])
    assert [row.phase for row in balance_rows([hpl, rows["star-copy"]])] == ["HPL"], "launches of one case"
    hpl = replace(hpl, benchmark="hpl", case="hpl")
    copy = replace(rows["star-copy"], benchmark="stream", phase="copy")
    found = {row.phase: row for row in balance_rows([hpl, copy])}
    ones = [sorted(copy.samples)[at] for at in (0, 2, 3, 5)]
    expected = [2 * one / other for one, other in zip(ones, sorted(hpl.samples)[::-1], strict=True)]
    assert found["STREAM copy / HPL"].samples == pytest.approx(expected)
    assert found["HPL"].n == 4


def test_a_ratio_to_hpl_is_no_surer_than_hpl() -> None:
    hpl = next(row for row in hpcc_rows() if row.phase == "hpl")
    wide = replace(hpl, samples=tuple(rate * (1 + at) for at, rate in enumerate(hpl.samples)))
    rows = [wide, *(row for row in hpcc_rows() if row.phase != "hpl"), stored("write", GIB)]
    found = {row.phase: row for row in derived_rows(rows, {})}[WRITE]
    assert found.low and found.high and found.high / found.low > 3


def test_caches_are_told() -> None:
    rows = balance_rows(hpcc_rows(cached={"star-copy"}))
    assert {row.phase for row in rows if row.in_caches} == {"STREAM copy / HPL"}
    assert all(row.in_caches for row in balance_rows(hpcc_rows(cached={"hpl"})) if "/ HPL" in row.phase)


def stored(moves: str, rate: float, **changes: Any) -> Row:
    (like,) = (row for row in hpcc_rows() if row.phase == "ptrans")
    known: dict[str, Any] = {"case": moves, "benchmark": "storage", "phase": moves, "moves": moves}
    known |= {"suspect": False, "sync": "close", **changes}
    metric = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
    return replace(like, samples=(rate,) * 6, median=rate, metric=metric, **known)


def test_a_dump_of_the_memory_takes_the_writes_that_speak_for_the_run() -> None:
    rows = [*hpcc_rows(), stored("write", GIB), stored("write", 2 * GIB), stored("read", 4 * GIB)]
    found = values(derived_rows(rows, {"memory": {"total_bytes": 16 * GIB}}))
    assert found[DUMP] == (16.0, 6, 2)
    assert found[WRITE][0] == pytest.approx(1e3 * GIB / 100e9, rel=0.01)
    assert found[READ][0] == pytest.approx(1e3 * 4 * GIB / 100e9, rel=0.01)
    assert DUMP not in values(derived_rows(rows, {})), "the memory is not known"
    cached = [*hpcc_rows(), stored("write", GIB, sync="never"), stored("read", GIB, suspect=True)]
    assert not {DUMP, WRITE, READ} & {*values(derived_rows(cached, {"memory": {"total_bytes": GIB}}))}


def test_bandwidths_of_calls_stand_beside_printed_ones() -> None:
    calls = [network_row("Sendrecv", size, [100.0] * 6) for size in (2**20, 2**10)]
    found = compare(with_balances([side_of(Path("nec-sx-8")), side("here", calls)]), Rules()).compared[0]
    (sendrecv,) = found.standings
    assert (sendrecv.pair.other.median, sendrecv.row.median) == (47.4e9, 2 * 2**20 / 100e-6)
    four = [network_row("Sendrecv", 2**20, [100.0] * 6, ranks=4)]
    assert (
        not compare(with_balances([side_of(Path("nec-sx-8")), side("here", four)]), Rules())
        .compared[0]
        .standings
    )


def test_two_runs_are_not_compared_by_their_balance() -> None:
    quick = [replace(row, samples=tuple(2 * one for one in row.samples)) for row in hpcc_rows()]
    sides = with_balances([side("a", hpcc_rows()), side("b", quick)])
    assert all(row.benchmark != BALANCE for one in sides for row in one.rows[0])
    profiles = [side("a", [*hpcc_rows(), *balance_rows(hpcc_rows())]) for _ in range(2)]
    found = compare(profiles, Rules()).compared[0]
    assert len(found.standings) == len(hpcc_rows()) and not found.matched.only_one


def test_a_printed_number_stands_beside_the_nearest_ranks() -> None:
    printed = side_of(Path("sgi-altix-bx2-numalink4"))
    here = side("here", [*hpcc_rows(ranks=2), *hpcc_rows(ranks=1)])
    found = compare(with_balances([printed, here]), Rules()).compared[0]
    pairs = {(one.row.phase, one.row.ranks, one.pair.other.ranks) for one in found.standings}
    assert ("random rings / HPL", 2, 506) in pairs
    assert not [
        pair for pair in pairs if pair[0].startswith("random") and pair != ("random rings / HPL", 2, 506)
    ]
    (rings,) = (one for one in found.standings if one.row.phase == "random rings / HPL")
    assert rings.verdict is Verdict.OPEN and rings.apart is not None
    assert rings.apart.ratio == pytest.approx(300 / 203.12) and rings.apart.low is None


def test_both_ends_of_a_range_stand_beside_a_number() -> None:
    printed = side_of(Path("cray-opteron-cluster"))
    found = compare(with_balances([printed, side("here", hpcc_rows())]), Rules()).compared[0]
    ends = {one.pair.other.median for one in found.standings if one.row.phase == "STREAM copy / HPL"}
    assert ends == {0.84, 1.07}


def test_figures_of_sides_with_printed_numbers_have_all_sides() -> None:
    here, printed = side("here", hpcc_rows()), side_of(Path("sgi-altix-bx2-numalink3"))
    found = figures_beside_printed(compare(with_balances([printed, here]), Rules()))
    assert [one.name for one in found] == ["sides-ratios", "sides-over-hpl"]
    bars = found[0].panels[0].spec["data"]["values"]
    rings = {one["series"]: one["share"] for one in bars if one["what"] == "random rings / HPL"}
    assert rings == {"here": 1.0, "sgi-altix-bx2-numalink3": pytest.approx(93.81 / 300, rel=1e-4)}
    assert figures_beside_printed(compare([here, here], Rules())) == []


def test_what_is_printed_of_a_setting_needs_that_setting() -> None:
    printed = side_of(Path("columbia-cxfs"))
    found = {}
    for block, ranks in ((8, 16), (8, 8), (16, 16)):
        like = stored("write", 1e8, phase="checkpoint", benchmark="flash-io", options={"block": block})
        here = side("here", [replace(like, ranks=ranks)])
        found[block, ranks] = [
            one.pair.other.median for one in compare([printed, here], Rules()).compared[0].standings
        ]
    assert found == {(8, 16): [152e6], (8, 8): [], (16, 16): []}


def test_the_faces_say_that_numbers_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = weir_here("compare", "nec-sx-8", "sgi-altix-bx2-numalink4", "--all")
    assert done.exit_code == 0 and "n = 1, printed: section 4.1.1" in done.output
    data = json.loads(weir_here("compare", "nec-sx-8", "sgi-altix-bx2-numalink3", "--json").output)
    rows = data["compared"][0]["rows"]
    assert {tuple(row["printed"]) for row in rows} == {("section 4.1.1", "section 4.1.1")}
    assert {row["low"] for row in rows} == {None}
    assert weir_here("compare", "nec-sx-8", "cray-opteron-cluster", "--page", "x.html").exit_code == 0
    page = Path("x.html").read_text()
    assert "printed" in page and "How is each machine balanced" in page
    of_three = weir_here("compare", "nec-sx-8", "sgi-altix-bx2-numalink3", "cray-x1").output
    assert of_three.count("beside printed numbers") == 1 and "undecided" not in of_three
    assert of_three.count("printed numbers of nec-sx-8") == 1
    told = weir_here("compare", "nec-sx-9", "ibm-sp")
    assert told.exit_code == 2 and "did you mean 'nec-sx-8'" in told.output.lower()
