"""`weir compare` and `weir baseline`: what is printed, written and left behind."""

import json
import os
import re
from pathlib import Path

import pytest

from compare.runs import Line, change_info, change_lines, run
from synthetic_run import GIB, World
from verbs import weir_here

HALF = World(seed=4, write_bytes_per_s=0.75 * GIB)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a run and one that writes half as fast."""
    monkeypatch.chdir(tmp_path)
    run(tmp_path / "a"), run(tmp_path / "half", HALF)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("a", "half"), 0),
        (("a", "half", "--fail-on", "worse"), 1),
        (("half", "a", "--fail-on", "worse"), 5),
        (("a", "a"), 2),
        (("a", "half", "./a"), 2),
        (("a",), 2),
        (("a", "nowhere"), 2),
        (("a", "half", "--against", "last"), 2),
        (("a", "half", "--matters", "5"), 2),
        (("a", "half", "--matters", "120%"), 2),
        (("a", "half", "--assume", "x"), 2),
        (("a", "half", "--fail-on", "better"), 2),
    ],
)
def test_exit_codes(place: Path, words: tuple[str, ...], code: int) -> None:
    done = weir_here("compare", *words)
    assert done.exit_code == code, done.output


@pytest.mark.usefixtures("place")
def test_the_first_screen_fits_and_says_what_is_worse() -> None:
    lines = weir_here("compare", "a", "half").output.splitlines()
    assert lines[0] == "half against a · writes worse · reads undecided"
    assert len(lines) <= 14 and max(map(len, lines)) <= 80


@pytest.mark.usefixtures("place")
def test_all_has_a_line_a_row() -> None:
    shown = weir_here("compare", "a", "half", "--all").output
    found = json.loads(weir_here("compare", "a", "half", "--json").output)["compared"][0]["rows"]
    told = re.findall(r"^.*\b(worse|cannot be told|same|better) +[\d.]+ times", shown, re.MULTILINE)
    assert len(told) == len(found)
    assert told.count("worse") == sum(row["verdict"] == "worse" for row in found) > 10


@pytest.mark.usefixtures("place")
def test_json_has_both_values_and_the_ratio() -> None:
    data = json.loads(weir_here("compare", "a", "half", "--json").output)
    assert data["verdict"] == "worse" and data["matters"] == 1.1
    (found,) = data["compared"]
    assert found["runs"] == [1, 1] and sum(found["counts"].values()) == len(found["rows"])
    row = next(one for one in found["rows"] if one["verdict"] == "worse")
    quotient = row["side"]["median"] / row["reference"]["median"]
    assert row["low"] <= row["ratio"] <= row["high"] < 1
    assert row["ratio"] == pytest.approx(quotient, rel=0.05)


def test_runs_without_a_common_row_are_nothing_to_compare(place: Path) -> None:
    def renamed(line: Line) -> Line:
        return line | {"benchmark": "another"} if line["kind"] == "case" else line

    change_lines(run(place / "another"), renamed)
    done = weir_here("compare", "a", "another")
    assert done.exit_code == 5 and "no row in common" in done.output


def test_the_page_needs_nothing_else(place: Path) -> None:
    done = weir_here("compare", "a", "half", "--page", "x.html")
    assert done.exit_code == 0 and done.output.splitlines()[-1] == "x.html"
    page = (place / "x.html").read_text()
    shown = page[: page.index("<script")]
    assert not re.search(r"(?:src|href)=.https?:", shown)
    assert page.count("<tr>") > 52 and "writes worse" in page
    assert (place / "x.html").stat().st_mode & 0o077 == 0


def test_names_of_runs_are_text_on_the_page(place: Path) -> None:
    (place / "half").rename(place / "<b>half")
    assert weir_here("compare", "a", "<b>half", "--page", "x.html").exit_code == 0
    page = (place / "x.html").read_text()
    assert "<b>half" not in page[: page.index("<script")] and "&lt;b&gt;half" in page


def test_the_last_run_and_the_baseline(place: Path) -> None:
    for day, seed in ((21, 2), (22, 3), (23, 4)):
        run(place / "runs" / f"r{day}", World(seed=seed), day=day)
    latest = "runs/r23"
    assert weir_here("compare", latest, "--against", "last").output.startswith("r23 against r22 ")
    none = weir_here("compare", latest, "--against", "baseline")
    assert none.exit_code == 5 and "weir baseline" in none.output
    assert weir_here("baseline", "runs/r21").exit_code == 0
    assert weir_here("compare", latest, "--against", "baseline").output.startswith("r23 against r21 ")
    assert weir_here("baseline", "runs/r21", "--remove").exit_code == 0
    assert weir_here("baseline", "runs/r21", "--remove").exit_code == 2
    assert weir_here("compare", "runs/r21", "--against", "last").exit_code == 5


def test_runs_of_other_studies_and_machines_are_no_history(place: Path) -> None:
    run(place / "runs" / "r", day=23)
    change_info(run(place / "runs" / "another", day=22), study={"name": "another"})
    other = run(place / "runs" / "other", day=21)
    machine = json.loads((other / "run.json").read_text())["machine"]
    change_info(other, machine=machine | {"host": machine["host"] | {"name": "elsewhere"}})
    assert weir_here("compare", "runs/r", "--against", "last").exit_code == 5


def test_a_file_of_that_name_is_neither_replaced_nor_removed(place: Path) -> None:
    own = place / "a" / "baseline"
    own.write_text("mine")
    assert weir_here("baseline", "a").exit_code == 2
    assert weir_here("baseline", "a", "--remove").exit_code == 2
    assert own.read_text() == "mine"


def test_a_baseline_is_not_written_through_a_link(place: Path) -> None:
    (place / "precious").write_text("mine")
    (place / "a" / "baseline").symlink_to(place / "precious")
    assert weir_here("baseline", "a").exit_code == 2
    assert (place / "precious").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_stranger_s_run_is_not_marked(place: Path) -> None:
    os.chown(place / "a", 65534, 65534)
    assert weir_here("baseline", "a").exit_code == 2
    assert not (place / "a" / "baseline").exists()
