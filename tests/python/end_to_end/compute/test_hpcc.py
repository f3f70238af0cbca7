"""A study of the HPC Challenge from its file to its report, on small memory."""

import json
from pathlib import Path

import pytest

from verbs import weir_ended

from ..real_core import run_core

STUDY = """
[study]
name = "small"
budget = "60s"
min_samples = 6
max_samples = 6
[fixed]
benchmark = "hpcc"
memory = "{memory}"
tests = [{tests}]
[[comparison]]
name = "hpcc"
figure = "hpcc"
table = ["hpcc", "hpcc-shares"]
axes = {{ ranks = [2] }}
"""
TESTS = '"noise-before", "hpl", "star-dgemm", "star-stream", "ptrans"'


UNDECIDED = 5
"""The exit code where other programs make the numbers spread widely."""


def study(memory: str) -> None:
    """Writes `small.toml`."""
    Path("small.toml").write_text(STUDY.format(memory=memory, tests=TESTS))


def test_its_report_has_hpccs_names_the_shares_and_what_ran_beside(place: Path) -> None:
    study("2MiB")
    done = weir_ended("run", "small.toml", "--out", "RUN", "--json")
    assert done.returncode in (0, UNDECIDED), done.stderr
    told = json.loads(done.stdout)
    (finding,) = told["findings"]
    rate, *balances = finding["answers"]
    assert rate["subject"] == ["rate"]
    samples = rate["value"]["n"]
    assert samples >= 6  # more where some were set aside, for the state of the machine, and came back
    assert [one["subject"] for one in balances] == [["share of DGEMM"], ["STREAM copy"]]
    numbers = {one["of"]["what"]: one for one in finding["numbers"]}
    assert numbers["matrix of HPL"]["remark"].startswith("conforming from order ")
    assert 0 <= numbers["other work before the tests"]["value"]["times"] < 1
    shown = weir_ended("report", "RUN", "--json")
    assert shown.returncode == 0, shown.stderr
    tables = {one["table"]: one for one in json.loads(shown.stdout)["tables"]}
    quantities = tables["hpcc"]["quantities"]
    assert {"HPL_Tflops", "StarDGEMM_Gflops", "PTRANS_GBs", "StarSTREAM_Copy"} <= set(quantities)
    assert [one["samples"] for one in quantities["HPL_Tflops"]] == [samples]
    held = {one["test"]: one for one in tables["hpcc-shares"]["tests"]}
    assert all(case["share"] > 0 for case in held["HPL"]["cases"])


def test_what_does_not_fit_is_refused_before_anything_is_measured(place: Path) -> None:
    study("100TiB")
    done = weir_ended("run", "small.toml", "--out", "RUN")
    assert done.returncode in (2, 3), done.stderr
    assert "memory" in done.stderr
    assert not list(Path("RUN").glob("samples.jsonl"))


def test_its_plan_tells_memory_and_makes_up_no_times(place: Path) -> None:
    study("8MiB")
    done = weir_ended("plan", "small.toml")
    assert done.returncode == 0, done.stderr
    assert "memory of a rank" in done.stdout and "4 MiB" in done.stdout
    assert "or the first launch where that alone takes longer" in done.stdout
    assert "written" not in done.stdout


@pytest.mark.parametrize("ranks", [1, 2])
def test_its_summary_has_what_its_samples_say(place: Path, ranks: int) -> None:
    done = run_core("hpcc", "--memory=2MiB", "--output=out.txt", "--tests=hpl", ranks=ranks).ended(0)
    summary = dict(line.split("=", 1) for line in Path("out.txt").read_text().splitlines() if "=" in line)
    (system,) = done.samples("hpl")
    assert int(summary["HPL_N"]) == system["size"]
    assert int(summary["CommWorldProcs"]) == ranks
    assert float(summary["HPL_Tflops"]) == pytest.approx(system["flop_per_s"] / 1e12, rel=1e-3)
    assert float(summary["HPL_time"]) == pytest.approx(system["elapsed_s"], rel=1e-3)
    assert summary["StarDGEMM_Gflops"] == "-1", "it was not measured"


def starts_of_tests(*options: str) -> list[str]:
    """The lines of the log that tell them."""
    done = run_core("hpcc", "--memory=1MiB", *options).ended(0)
    return [line.removeprefix("weir-core: ") for line in done.talk.splitlines() if "test " in line]


def test_a_log_has_the_start_of_each_test(place: Path) -> None:
    once = starts_of_tests("--tests=ptrans,single-dgemm")
    assert once == ["test 1 of 2: ptrans", "test 2 of 2: single-dgemm"]
    thrice = starts_of_tests("--tests=single-dgemm", "--warm-up=1", "--repetitions=2")
    assert thrice == [f"pass {i} of 3, test 1 of 1: single-dgemm" for i in (1, 2, 3)]


def test_a_value_that_is_empty_is_none(place: Path) -> None:
    """As of a variable that is not set, which would mean HPL in most of the memory."""
    for option in ("--input", "--tests", "--output"):
        done = run_core("hpcc", "--memory=1MiB", option, "").ended(2)
        assert f"{option} has no value" in done.talk
