"""`weir history`: what is printed, written and left behind."""

import json
from pathlib import Path

import pytest

from compare.runs import change_info, run
from synthetic_run import GIB, World
from verbs import weir_here

SLOW = 0.9 * GIB
RUNS, CHANGED = 19, 10


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of daily runs, of which the last ones write slower."""
    folder = tmp_path_factory.mktemp("series")
    for day in range(1, RUNS + 1):
        world = World(seed=day, **({"write_bytes_per_s": SLOW} if day > CHANGED else {}))
        run(folder / f"r{day:02}", world, day=day)
    return folder


@pytest.fixture
def place(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the series as `runs`."""
    (tmp_path / "runs").symlink_to(recorded)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("place")
def test_the_first_screen_says_what_changed_and_when() -> None:
    done = weir_here("history", "quick")
    lines = done.output.splitlines()
    assert done.exit_code == 0 and len(lines) <= 14 and max(map(len, lines)) <= 80
    assert lines[0].startswith(f"quick on n1 · {RUNS} runs · write worse")
    assert any(f"worse since 2026-11-{CHANGED + 1:02}" in line for line in lines)


@pytest.mark.usefixtures("place")
def test_all_and_json_have_every_row() -> None:
    found = json.loads(weir_here("history", "quick", "--json").output)
    assert found["verdict"] == "worse" and len(found["runs"]) == RUNS
    write = next(one for one in found["headline"] if one["phase"] == "write")
    assert [level["runs"] for level in write["levels"]] == [CHANGED, RUNS - CHANGED]
    assert write["times_as_good"]["high"] < 1 and len(write["medians"]) == RUNS
    shown = weir_here("history", "quick", "--all").output
    assert shown.count("MiB/s from 2026-11-01") == len(found["headline"]) + len(found["others"])


@pytest.mark.usefixtures("place")
def test_exit_codes() -> None:
    assert weir_here("history", "quick", "--fail-on", "worse").exit_code == 1
    assert weir_here("history", "another").exit_code == 5
    assert weir_here("history", "quick", "--in", "nowhere").exit_code == 5
    assert (
        weir_here("history", "quick", "--matters", "70%", "--fail-on", "worse").exit_code == 5
    )  # of few runs


@pytest.mark.usefixtures("place")
def test_quiet_says_only_what_is_new(tmp_path: Path, recorded: Path) -> None:
    assert weir_here("history", "quick", "--quiet").output == ""
    shorter = tmp_path / "shorter"
    shorter.mkdir()
    for day in range(1, CHANGED + 2):
        (shorter / f"r{day:02}").symlink_to(recorded / f"r{day:02}")
    first_slow = weir_here("history", "quick", "--in", "shorter", "--quiet").output
    assert "perhaps" in first_slow


@pytest.mark.usefixtures("place")
def test_the_page_shows_series_and_levels(tmp_path: Path) -> None:
    done = weir_here("history", "quick", "--page", "h.html")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "h.html").read_text()
    assert "write worse" in page and f"from 2026-11-{CHANGED + 1:02}" in page
    assert len(page) < 5_000_000


def test_runs_of_other_machines_and_damaged_ones_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for day in range(1, 9):
        run(tmp_path / "runs" / str(day), World(seed=day), day=day)
    other = tmp_path / "runs" / "3"
    machine = json.loads((other / "run.json").read_text())["machine"]
    change_info(other, machine=machine | {"host": machine["host"] | {"name": "elsewhere"}})
    (tmp_path / "runs" / "4" / "samples.jsonl").unlink()
    (tmp_path / "runs" / "4" / "samples.jsonl").mkdir()
    found = json.loads(weir_here("history", "quick", "--json").output)
    assert found["other_hosts"] == 1 and found["lost"] == 1 and len(found["runs"]) == 6


def test_one_run_is_a_short_series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(tmp_path / "runs" / "a")
    done = weir_here("history", "quick")
    assert done.exit_code == 0 and "too few runs for a change to be sure: 1" in done.output


def test_the_page_replaces_no_part_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    samples = run(tmp_path / "runs" / "a") / "samples.jsonl"
    before = samples.read_bytes()
    assert weir_here("history", "quick", "--page", "runs/a/samples.jsonl").exit_code == 2
    assert samples.read_bytes() == before


@pytest.mark.usefixtures("place")
def test_a_study_may_be_given_by_its_file(recorded: Path) -> None:
    assert weir_here("history", str(recorded / "r01" / "study.toml")).output.startswith("quick on n1")
