"""Tables of a run, from the study to the terminal, to JSON and to the page, with the fake core."""

import json
import subprocess
from pathlib import Path

import pytest

from verbs import weir_ended as weir
from weir.cli._results import WIDTH, wrapped

NOT_RUN = "Tables 3, 4, 7 and 8: the large case: not run; ask for it with --with large"


def run(*more: str) -> subprocess.CompletedProcess[str]:
    return weir("run", "sp-paragon", "--out", "RUN", *more)


def table_lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What it printed, which must have gone well, with single blanks."""
    assert done.returncode == 0, done.stderr
    return [" ".join(line.split()) for line in done.stdout.splitlines()]


def test_the_small_case_stands_beside_the_printed_tables(place: Path) -> None:
    run()
    done = weir("show", "--all", "RUN")
    lines = table_lines(done)
    assert "open 200 0.800 [0.800, 0.800] 31.35 90.37 0.100 3.919 11.29" in lines
    assert "communication 3,368* 2.40 [2.40, 2.40] 83.39 70.17 0.300 10.42 8.771" in lines
    assert "write 24 128 384 208 104 [104, 104] 1040 [1040, 1040] 31.59 17.12" in lines
    assert NOT_RUN in lines
    assert max(map(len, done.stdout.splitlines()[1:])) <= 100
    assert "256 x 256 x 128" not in done.stdout
    assert len(run().stdout.splitlines()) <= 14


def test_the_numbers_of_a_case_of_two_comparisons_are_shown_once(place: Path) -> None:
    Path("twice.toml").write_text(
        """
[study]
name = "twice"
budget = "1m"
[fixed]
benchmark = "storage"
block = "4MiB"
[[comparison]]
name = "first"
axes = { ranks = [1, 2] }
[[comparison]]
name = "second"
axes = { ranks = [2, 3] }
"""
    )
    assert weir("run", "./twice.toml", "--out", "RUN").returncode == 0
    done = weir("show", "--all", "RUN")
    first, _, second = done.stdout.partition("\nsecond\n")
    assert "(2 ranks): see first" in second and "see" not in first
    of_each = [text.count("\n    write") for text in (first, second)]
    assert of_each == [2, 1], done.stdout


def test_the_large_case_is_added_when_asked_for(place: Path) -> None:
    run()
    assert run("--with", "large").returncode == 0
    done = weir("show", "--all", "RUN")
    lines = table_lines(done)
    assert "open 448 0.800 [0.800, 0.800] 358.5 402.5 0.0125 5.601 6.289" in lines
    assert "not run" not in done.stdout


def test_json_has_the_tables_as_numbers(place: Path) -> None:
    data = json.loads(run("--json").stdout)
    assert [(table["table"], table["ranks"]) for table in data["tables"]] == [("calls", 8), ("requests", 8)]
    opened = data["tables"][0]["operations"][0]
    assert (opened["count"], opened["printed"]["Paragon"]["total_s"]) == (200, 90.37)


def test_the_page_has_the_tables_too(place: Path) -> None:
    run()
    assert weir("report", "RUN", "--out", "page.html").returncode == 0
    page = Path("page.html").read_text()
    assert page.count('<h4 class="table-title">') == 2
    assert "3,368*" in page and ">5.601<" not in page
    assert f"{NOT_RUN}." in page


def test_a_plan_says_what_is_not_asked_for(place: Path) -> None:
    assert NOT_RUN in weir("plan", "sp-paragon").stdout
    assert json.loads(weir("plan", "sp-paragon", "--json").stdout)["not_asked"] == ["large"]
    asked = weir("plan", "sp-paragon", "--with", "large")
    assert asked.returncode == 0 and "not run" not in asked.stdout


def test_a_comparison_that_there_is_not_is_refused(place: Path) -> None:
    done = run("--with", "larg")
    assert done.returncode == 2
    assert "Did you mean 'large'?" in done.stderr
    assert not Path("RUN").exists()


@pytest.mark.parametrize("whole", ["48 %", "(n = 12, 7)", "[0.50, 1.25]"])
def test_a_number_stays_with_what_belongs_to_it(whole: str) -> None:
    for length in range(WIDTH - 14, WIDTH + 1):
        lines = wrapped(f"{'x' * length} {whole} and more", "", "  ")
        assert sum(whole in line for line in lines) == 1
        assert max(map(len, lines)) <= WIDTH


def test_all_else_is_wrapped_and_indented() -> None:
    lines = wrapped("word " * 40, "", "  ")
    assert len(lines) == 3
    assert lines[1].startswith("  word") and "\N{NO-BREAK SPACE}" not in "".join(lines)
