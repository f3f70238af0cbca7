"""The machines of papers: every number is the printed one, with its place, and none has a spread."""

import json
import tomllib
from pathlib import Path

import pytest

from verbs import weir_here
from weir.answers.answer import Ratio
from weir.compare.comparison import Rules, compare
from weir.compare.first_screen import first_screen
from weir.compare.profile import Profile, read_profile, rows_of
from weir.compare.settings import BALANCE
from weir.compare.shipped import shipped_machine, shipped_machines
from weir.compare.sides import side_of
from weir.compare.standings import Verdict
from weir.ratios.derived import with_balances
from weir.ratios.quantities import QUANTITIES
from weir.results.marks import marks_of
from weir.results.row import Row, with_metric
from weir.study.load import own_studies

RINGS, COPY = "random rings / HPL", "STREAM copy / HPL"
# Typed from the paper once more: machine, phase, ranks (0: not printed), bound, number.
RATIOS = [
    ("sgi-altix-bx2-numalink4", RINGS, 506, "", "203.12"),
    ("sgi-altix-bx2-numalink4", RINGS, 2024, "", "23.18"),
    ("sgi-altix-bx2-numalink3", RINGS, 440, "", "93.81"),
    ("nec-sx-8", RINGS, 576, "", "59.64"),
    ("cray-opteron-cluster", RINGS, 64, "", "24.41"),
    ("nec-sx-8", COPY, 0, "above", "2.67"),
    ("sgi-altix-bx2-numalink4", COPY, 0, "above", "0.36"),
    ("sgi-altix-bx2-numalink3", COPY, 0, "above", "0.36"),
    ("cray-opteron-cluster", COPY, 0, "from", "0.84"),
    ("cray-opteron-cluster", COPY, 0, "up to", "1.07"),
    ("cray-opteron-cluster", "DGEMM / HPL", 0, "", "1.925"),
]
TABLE_2 = {
    "HPL": ("flop/s", "8.729e12"),
    "DGEMM / HPL": ("flop/flop", "1.925"),
    "FFT / HPL": ("flop/flop", "0.020"),
    "PTRANS / HPL": ("B/flop", "0.039"),
    COPY: ("B/flop", "2.893"),
    RINGS: ("B/kflop", "94"),  # 0.094 B/flop
    "1 / latency of random rings": ("1/µs", "0.197"),
    "RandomAccess / HPL": ("update/flop", "4.9e-5"),
}
SENDRECV = {"nec-sx-8": "47.4e9", "cray-x1": "7.6e9"}
TABLES_OF_THAKUR = {
    ("ibm-sp", "table 1"): {"open": 31.35, "close": 1.693, "read": 4.001, "write": 52.67, "seek": 0.052},
    ("ibm-sp", "table 3"): {"open": 358.5, "close": 26.96, "read": 362.5, "write": 1533, "seek": 0.138},
    ("intel-paragon", "table 5"): {
        "open": 90.37,
        "close": 7.586,
        "read": 6.712,
        "write": 97.16,
        "seek": 6.938,
    },
    ("intel-paragon", "table 7"): {
        "open": 402.5,
        "close": 36.68,
        "read": 365.7,
        "write": 1429,
        "seek": 68.97,
    },
    ("ibm-sp", "table 2"): {"read": 48.00 * 2**20, "write": 31.59 * 2**20},
    ("ibm-sp", "table 4"): {"read": 33.90 * 2**20, "write": 17.37 * 2**20},
    ("intel-paragon", "table 6"): {"read": 28.61 * 2**20, "write": 17.12 * 2**20},
    ("intel-paragon", "table 8"): {"read": 33.60 * 2**20, "write": 18.63 * 2**20},
}
COLUMBIA = {
    ("checkpoint", 8, 16): 152e6,
    ("checkpoint", 16, 32): 255e6,
    ("checkpoint", 32, 4): 271e6,
    ("plot", 8, 16): 88e6,
    ("plot", 16, 32): 252e6,
    ("plot", 32, 32): 252e6,
    ("corner", 8, 16): 113e6,
    ("corner", 16, 32): 293e6,
    ("corner", 32, 8): 263e6,
    ("run", 8, 16): 117e6,
    ("run", 16, 32): 268e6,
    ("run", 32, 8): 237e6,
}


def profile(name: str) -> Profile:
    return read_profile(shipped_machines()[name])


def balances(name: str) -> dict[tuple[str, int, str], Row]:
    rows = [row for row in rows_of(profile(name)) if row.benchmark == BALANCE]
    return {(row.phase, row.ranks, str(row.options.get("bound", ""))): row for row in rows}


@pytest.mark.parametrize(("name", "phase", "ranks", "bound", "number"), RATIOS)
def test_each_printed_ratio_is_there_exactly(
    name: str, phase: str, ranks: int, bound: str, number: str
) -> None:
    row = balances(name)[phase, ranks, bound]
    assert row.samples == (float(number),)
    assert (row.median, row.low, row.high, row.n) == (float(number), None, None, 1)


def test_no_machine_has_a_ratio_more() -> None:
    of_paper = {name for name, *_ in RATIOS}
    assert {(name, *key) for name in of_paper for key in balances(name)} == {one[:4] for one in RATIOS}


def test_table_2_is_of_the_systems_together() -> None:
    found = {phase: row for (phase, _, _), row in balances("saini-2006-maxima").items()}
    assert {phase: (row.metric.unit, row.median) for phase, row in found.items()} == {
        phase: (unit, float(number)) for phase, (unit, number) in TABLE_2.items()
    }


def test_calls_of_two_ranks_are_there_exactly() -> None:
    for name, number in SENDRECV.items():
        (row,) = (row for row in rows_of(profile(name)) if row.phase == "Sendrecv")
        assert (row.median, row.ranks, row.options["bytes"]) == (float(number), 2, 2**20)


def test_the_tables_of_thakur_are_there_exactly() -> None:
    for (name, table), numbers in TABLES_OF_THAKUR.items():
        found = {row.phase: row.samples[0] for row in profile(name).rows if row.place == table}
        assert {phase: found[phase] for phase in numbers} == numbers, table


def test_columbia_is_there_exactly() -> None:
    rows = profile("columbia-cxfs").rows
    assert {(row.phase, row.options["block"], row.ranks): row.samples[0] for row in rows} == COLUMBIA


@pytest.mark.parametrize("name", shipped_machines())
def test_each_number_is_one_sample_with_its_place(name: str) -> None:
    found = profile(name)
    assert found.source and found.name and len(found.created_at) == 4
    assert {len(row.samples) for row in found.rows} == {1}
    assert all(row.place for row in found.rows)
    metrics = {one.phase: one.metric for one in QUANTITIES}
    for row in rows_of(found):
        assert row.low is None and with_metric(row, row.metric.key) is not None
        assert row.benchmark != BALANCE or row.metric == metrics[row.phase]


def test_they_are_listed() -> None:
    found = json.loads(weir_here("list", "machines", "--json").output)["machines"]
    assert [one["name"] for one in found] == [*shipped_machines()]
    by_name = {one["name"]: one for one in found}
    assert by_name["nec-sx-8"]["machine"] == "NEC SX-8" and by_name["ibm-sp"]["numbers"] == 16
    assert "nec-sx-8" in weir_here("list", "machines").output


def test_a_path_goes_before_a_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shipped_machine(Path("nec-sx-8")) == shipped_machines()["nec-sx-8"]
    Path("nec-sx-8").mkdir()
    assert shipped_machine(Path("nec-sx-8")) is None
    assert weir_here("compare", "nec-sx-8", "ibm-sp").exit_code == 2


def test_the_study_of_imb_marks_the_same_bandwidths() -> None:
    study = tomllib.loads(own_studies()["imb"].read_text())
    marks = [mark for comparison in study["comparison"] for mark in marks_of(comparison)]
    found = {mark.machine.split(" (")[0]: (mark.bytes_per_s, mark.ranks) for mark in marks}
    assert found == {profile(name).name: (float(number), 2) for name, number in SENDRECV.items()}


def test_a_bound_has_no_ratio_to_a_number() -> None:
    sides = with_balances([side_of(Path("nec-sx-8")), side_of(Path("cray-opteron-cluster"))])
    found = compare(sides, Rules()).compared[0]
    bounds = [one for one in found.standings if one.pair.is_bound]
    assert bounds and all(one.apart is None and one.verdict is Verdict.OPEN for one in bounds)
    told = {answer.subject: answer for answer in first_screen(compare(sides, Rules())).rows}
    assert all(not isinstance(told[subject].value, Ratio) for subject in told if "STREAM copy" in subject[0])
