"""A benchmark that is one C++ file: what it measures is shown, compared, reported and exported by its metrics
alone. The template is one, with rates, a time in microseconds and a count."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from running import ended

from ..conftest import ROOT, WEIR, need_real_programs

STUDY = """
[study]
name = "machine"
title = "What does the machine do?"
budget = "60s"
min_samples = 6
max_samples = 6
probe_state = false

[fixed]
benchmark = "template"
numbers = 5000
updates = 5000
meetings = 20

[[comparison]]
name = "ranks"
figure = "ranks"
axes = { ranks = [1, 2], sweeps = [10, 1000] }

[[comparison.claim]]
machine = "theirs"
source = "nobody"
says = "more sweeps take as long"
test = { rule = "ratio", one = { phase = "multiply", sweeps = 1000 }, \
other = { phase = "multiply", sweeps = 10 }, at_least = 0.001 }
"""
NUMBER = r"[\d.,]+"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a run of the template, `RUN`, what `weir run` printed, `printed`, and the report,
    `page.html` and `report.json`."""
    need_real_programs()
    folder = tmp_path_factory.mktemp("new-benchmark")
    (folder / "study.toml").write_text(STUDY)
    printed = weir(folder, "run", "study.toml", "--out", "RUN", codes=(0, 5))
    (folder / "printed").write_text(printed)
    (folder / "report.json").write_text(weir(folder, "report", "RUN", "--out", "page.html", "--json"))
    return folder


def weir(folder: Path, *arguments: str, codes: Sequence[int] = (0,)) -> str:
    done = ended(*WEIR.split(), *arguments, cwd=folder)
    assert done.returncode in codes, done.stderr
    return done.stdout


def test_run_and_show_print_every_metric_in_people_s_units(run: Path) -> None:
    printed, shown = (run / "printed").read_text(), weir(run, "show", "--all", "RUN")
    for phase, unit in (("multiply", "Gflop/s"), ("update", "GUP/s"), ("meet", "µs")):
        row = rf"^    {phase} +{NUMBER} {unit} +\[{NUMBER} … {NUMBER}\]  6 samples"
        assert len(re.findall(row, shown, re.MULTILINE)) == 4, (phase, shown)
        assert re.search(
            rf"^[●◐] {phase.capitalize()} +{NUMBER} .*{unit}.*\(n = 6\)", printed, re.MULTILINE
        ), printed
    assert "numbers multiplied: 5,000,000 numbers  [5,000,000 … 5,000,000]" in shown
    assert "numbers multiplied" not in printed


def test_data_for_programs_hold_every_metric(run: Path) -> None:
    rows = json.loads(weir(run, "show", "RUN", "--json"))["rows"]
    multiply = next(row for row in rows if row["phase"] == "multiply" and row["options"]["sweeps"] == 10)
    assert (multiply["metric"], multiply["unit"], multiply["samples"]) == ("flop_per_s", "flop/s", 6)
    assert [one["key"] for one in multiply["metrics"]] == ["flop_per_s", "numbers"]
    count = multiply["metrics"][1]
    assert count["median"] == 5000.0 * 10 * multiply["ranks"]
    assert (count["unit"], count["better"]) == ("1", "higher")
    meet = next(row for row in rows if row["phase"] == "meet")
    assert meet["metrics"][0]["better"] == "lower"


def test_rows_are_compared_and_plotted_by_metric(run: Path) -> None:
    found = json.loads((run / "report.json").read_text())
    (claim,) = found["claims"]
    assert claim["verdict"] == "holds" and "1 rank" in claim["why"], claim
    verdict, answers = (found["headline"][key] for key in ("verdict", "answers"))
    said = rf"Multiply {NUMBER} Gflop/s .* · Update {NUMBER} GUP/s .* · Meet {NUMBER} µs"
    assert re.search(said, verdict), verdict
    quantities = [one for one in answers if one["question"] == "quantity"]
    assert [(one["subject"], one["value"]["n"]) for one in quantities] == [
        (["Multiply"], 6),
        (["Update"], 6),
        (["Meet"], 6),
    ]
    assert {"flop_per_s", "updates_per_s", "meeting_us"} <= {row["metric"] for row in found["rows"]}
    assert all(not {"not synced", "source of data unknown"} & set(row["flags"]) for row in found["rows"])


def test_the_page_has_a_panel_for_each_metric_and_no_columns_of_files(run: Path) -> None:
    page = (run / "page.html").read_text()
    for axis in ("floating-point rate (Gflop/s)", "update rate (GUP/s)", "time of a meeting (µs)"):
        assert axis in page
    table = page.partition('id="cases"')[2].partition("</table>")[0]
    headings = re.findall(r"<th(?: [^>]*)?>(.*?)</th>", table)
    assert headings == ["phase", "ranks", "median [95 % interval]", "n", "interval and flags"]
    assert "multiply, 1,000 sweeps" in table
    assert "numbers multiplied" in page.partition('id="further"')[2]


def test_exports_hold_every_metric(run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(weir(run, "export", "RUN", "--format", "csv"))))
    assert len(rows) == 4 * 6 * 3
    for phase, keys in {
        "multiply": {"flop_per_s", "numbers"},
        "update": {"updates_per_s"},
        "meet": {"meeting_us"},
    }.items():
        every = {"flop_per_s", "numbers", "updates_per_s", "meeting_us"}
        row = next(row for row in rows if row["phase"] == phase)
        assert {key for key in every if row[key]} == keys
    gauges = weir(run, "export", "RUN", "--format", "openmetrics")
    for name in ("flop_per_second", "updates_per_second", "meeting_us", "numbers"):
        assert f"\nweir_median_{name}{{" in gauges


def commands_of_the_page() -> list[str]:
    """The first console block of the how-to page, its commands each on one line."""
    page = (ROOT / "docs" / "how-to" / "add-a-benchmark.md").read_text()
    block = page.partition("```console\n")[2].partition("```")[0].replace("\\\n", "")
    return [line.removeprefix("$ ") for line in block.splitlines()]


def test_a_copy_of_the_template_is_a_benchmark_of_its_own(tmp_path: Path) -> None:
    """As the how-to page says it is made; that it compiles is seen, by the flags of the template."""
    build = json.loads((ROOT / "build" / "release" / "compile_commands.json").read_text())
    template = next(one for one in build if one["file"].endswith("bench/template/template_benchmark.cpp"))
    folder = tmp_path / "src" / "bench"
    shutil.copytree(ROOT / "src" / "bench" / "template", folder / "template")
    for line in commands_of_the_page():
        subprocess.run(line, shell=True, cwd=tmp_path, check=True)
    made = folder / "mine" / "mine_benchmark.cpp"
    assert "weir_layer(bench_mine " in (folder / "mine" / "CMakeLists.txt").read_text()
    text = made.read_text()
    assert '.name = "mine"' in text and "MineJob" in text and "Template" not in text
    compiler = template["command"].partition(" -o ")[0]
    check = f"{compiler} -fsyntax-only {made}"
    subprocess.run(check, shell=True, cwd=template["directory"], check=True, timeout=120)
