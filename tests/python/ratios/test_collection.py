"""Folders of profiles: ranks, hollow numbers, files that are none, and machines of one name."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hpcc_samples import hpcc_rows
from verbs import weir_here
from weir.analyse.metric import Metric
from weir.compare.profile import Profile, as_profile_row, encode
from weir.compare.shipped import shipped_machines
from weir.ratios.collection import Collection, collection_of, is_collection, read_collection
from weir.ratios.collection_face import drawing, number, rank
from weir.ratios.derived import derived_rows
from weir.results.row import Row

SCALE = 200.0
"""Of HPL, so that a machine is above 1 Tflop/s."""


def profile(name: str, times: float = 1.0, card: dict[str, Any] | None = None, **changes: Any) -> Profile:
    more = {"hpl": {"flop_per_s": times * 80e9}, "fft": {"flop_per_s": 4e9}}
    rows = hpcc_rows(more=more, **changes)
    every = [*rows, *derived_rows(rows, card or {})]
    made = {"study": "hpcc", "created_at": "2026-11-20T08:00:00Z", "weir_version": "0.1.0"}
    return Profile(name=name, machine=card or {}, rows=tuple(map(as_profile_row, every)), **made)


def write(folder: Path, file: str, one: Profile) -> None:
    folder.mkdir(exist_ok=True)
    (folder / file).write_bytes(encode(one))


def cells(found: Collection, phase: str) -> dict[str, tuple[str, str]]:
    """Number and rank by machine."""
    (column,) = (one for one in found.columns if one.phase == phase)
    return {found.entries[at].machine: (number(cell), rank(cell)) for at, cell in column.cells.items()}


def of(*profiles: Profile) -> Collection:
    return collection_of("here", [(f"{at}.json", one) for at, one in enumerate(profiles)])


FAILING = ["--all", "machines", "--fail-on", "worse"]


def test_the_best_of_each_quantity_is_first() -> None:
    found = of(profile("slow"), profile("quick", 2.0), profile("quickest", 4.0))
    assert [one.machine for one in found.entries] == ["quickest", "quick", "slow"]
    assert cells(found, "HPL") == {
        "quickest": ("320", "1"),
        "quick": ("160", "2"),
        "slow": ("80.0", "3"),
    }
    copies = cells(found, "STREAM copy / HPL")
    assert {name: place for name, (_, place) in copies.items()} == {
        "slow": "1",
        "quick": "2",
        "quickest": "3",
    }


def test_equal_numbers_share_a_rank() -> None:
    found = cells(of(profile("a"), profile("b"), profile("c", 0.5)), "HPL")
    assert {name: place for name, (_, place) in found.items()} == {"a": "1", "b": "1", "c": "3"}


def test_global_numbers_of_small_machines_are_there_and_not_ranked() -> None:
    found = of(profile("small"), profile("large", SCALE))
    assert {name: place for name, (_, place) in cells(found, "FFT / HPL").items()} == {
        "small": "○",
        "large": "1",
    }
    assert {place for _, place in cells(found, "DGEMM / HPL").values()} == {"1", "2"}


def test_numbers_of_caches_are_not_ranked() -> None:
    found = cells(of(profile("a", cached={"star-copy"}), profile("b")), "STREAM copy / HPL")
    assert {name: place for name, (_, place) in found.items()} == {"a": "○", "b": "1"}


def test_storage_is_ranked_by_what_is_of_it() -> None:
    def stored(name: str, rate: float, sync: str) -> Profile:
        (like,) = (row for row in hpcc_rows() if row.phase == "ptrans")
        metric = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
        known: dict[str, Any] = {"benchmark": "storage", "phase": "write", "moves": "write", "sync": sync}
        row: Row = replace(like, samples=(rate,) * 6, metric=metric, **known)
        made = {"study": "quick", "created_at": "2026-11-20T08:00:00Z", "weir_version": "0.1.0"}
        return Profile(name=name, rows=(as_profile_row(row),), **made)

    found = of(stored("a", 2**30, "close"), stored("b", 2**31, "close"), stored("cached", 2**40, "never"))
    assert cells(found, "quickest writes") == {"a": ("1020", "2"), "b": ("2050", "1")}


def test_printed_machines_stand_among_them_with_their_digits(tmp_path: Path) -> None:
    for name in ("nec-sx-8", "sgi-altix-bx2-numalink3", "cray-opteron-cluster"):
        shutil.copy(shipped_machines()[name], tmp_path)
    found = read_collection(tmp_path)
    assert cells(found, "random rings / HPL") == {
        "NEC SX-8": ("59.64", "2"),
        "SGI Altix BX2, NUMAlink3": ("93.81", "1"),
        "Cray Opteron cluster": ("24.41", "3"),
    }
    assert cells(found, "STREAM copy / HPL") == {
        "NEC SX-8": ("> 2.67", "-"),
        "SGI Altix BX2, NUMAlink3": ("> 0.36", "-"),
        "Cray Opteron cluster": ("0.84-1.07", "-"),
    }
    assert all(one.printed for one in found.entries)


@pytest.mark.parametrize("content", ["{", "{}", '{"kind":"weir-profile","schema":9}', "[]"])
def test_a_bad_file_is_a_row_with_its_reason(tmp_path: Path, content: str) -> None:
    write(tmp_path, "a.json", profile("a"))
    (tmp_path / "bad.json").write_text(content)
    found = read_collection(tmp_path)
    assert [one.machine for one in found.entries] == ["a"]
    ((file, why),) = found.refused
    assert file == "bad.json" and why


def test_machines_of_one_name_are_told_apart() -> None:
    cards = [{"cpu": {"model": model}} for model in ("A", "B")]
    found = of(*(profile("vm", card=card) for card in cards))
    assert {one.machine for one in found.entries} == {"vm (0.json)", "vm (1.json)"}
    assert found.namesakes == (("vm", "model: A and B"),)
    alike = of(profile("vm", card=cards[0]), profile("vm", 2.0, card=cards[0]), profile("other"))
    assert alike.namesakes == (("vm", ""),)


def test_a_folder_of_runs_is_none(tmp_path: Path) -> None:
    assert not is_collection(tmp_path) and not is_collection(tmp_path / "nothing")
    write(tmp_path, "a.json", profile("a"))
    assert is_collection(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    assert not is_collection(tmp_path)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, times in (("a", 1.0), ("b", SCALE)):
        write(tmp_path / "machines", f"{name}.json", profile(name, times))
    return tmp_path


def test_the_verb_ranks_a_folder_and_what_is_named_beside_it(here: Path) -> None:
    (here / "machines" / "bad.json").write_text("{}")
    done = weir_here("compare", "--all", "machines", "nec-sx-8", "--json")
    data = json.loads(done.output)
    assert done.exit_code == 0
    assert [one["machine"] for one in data["machines"]] == ["b", "a", "NEC SX-8"]
    assert [one["file"] for one in data["refused"]] == ["bad.json"]
    small = {one["quantity"]: one for one in data["machines"][1]["quantities"]}
    assert small["FFT / HPL"]["hollow"] and small["FFT / HPL"]["rank"] is None
    assert (small["HPL"]["rank"], small["HPL"]["samples"], small["HPL"]["median"]) == (2, 6, 80e9)
    printed = {one["quantity"]: one for one in data["machines"][2]["quantities"]}
    assert printed["STREAM copy / HPL"]["bounds"] == [{"bound": "above", "value": 2.67}]
    assert printed["random rings / HPL"]["place"] == "section 4.1.1"


def test_the_terminal_and_the_page_have_every_machine(here: Path) -> None:
    done = weir_here("compare", "--all", "machines", "--page", "all.html")
    assert done.exit_code == 0 and done.output.startswith("2 machines of machines\n")
    lines = [line.split() for line in done.output.splitlines()]
    assert ["a", "80.0", "(2)", "1.56", "(1)", "0.0500", "(○)", "0.0625", "(○)"] in lines
    page = (here / "all.html").read_text()
    assert page.count("data-value=") > 10 and "Kiviat diagram" in page and 'src="http' not in page


def test_without_the_word_it_is_said_what_to_do(here: Path) -> None:
    for words in (
        ["machines"],
        ["machines", "machines"],
        ["--all", "machines", "--against", "last"],
        FAILING,
    ):
        done = weir_here("compare", *words)
        assert done.exit_code == 2 and "weir compare --all machines" in done.output


def test_a_picture_has_no_more_machines_than_colours() -> None:
    found = of(*(profile(f"m{at}", 1 + at) for at in range(9)))
    drawn = drawing(found)
    assert drawn
    names = {one["series"] for one in drawn.panels[0].spec["data"]["values"]}
    assert len(names) == 7 and len(found.entries) == 9
    assert drawing(of()) is None


def test_a_folder_without_any_number_tells_nothing(here: Path) -> None:
    (here / "none").mkdir()
    (here / "none" / "bad.json").write_text("{}")
    done = weir_here("compare", "--all", "none")
    assert done.exit_code == 5 and "bad.json" in done.output
