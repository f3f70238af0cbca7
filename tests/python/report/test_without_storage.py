"""A report of cases that use no files says nothing of storage; one of both does."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import synthetic_run
from hpcc_samples import hpcc_lines
from sample_lines import sample_line
from weir.machine.rules import speaks_of_storage
from weir.report.build import Report, build
from weir.report.gather import gather
from weir.report.page import render
from weir.store.run_directory import RunDirectory

FULL = {"code": "nearly-full", "problem": "3.0 GiB of 99 GiB are free on /scratch", "why": "", "advice": ""}
BUSY = {"code": "busy", "problem": "the machine is busy", "why": "", "advice": ""}
OF_STORAGE = (
    "Storage",
    "/scratch",
    "file system",
    "device",
    "write back",
    "stops writers",
    "MPI-IO",
    "MiB/s",
)


def case(name: str, benchmark: str, options: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": 1,
        "kind": "case",
        "case": name,
        "benchmark": benchmark,
        "ranks": 2,
        "options": options,
        "comparisons": ["hpcc"],
    }


COMPUTE = [case("a", "hpcc", {"memory": 1 << 24}), *hpcc_lines()]
BYTES = {"bytes": 1 << 20, "bytes_written": 1 << 20, "sync": "close"}
STORAGE = [
    case("b", "storage", {"dir": None, "layout": "shared"}),
    *(
        sample_line("b", "write", benchmark="storage", round=number, bandwidth_bytes_per_s=1e9, **BYTES)
        for number in range(6)
    ),
]


def report_of(run: Path, lines: list[dict[str, Any]]) -> Report:
    """Of these lines, on the synthetic machine."""
    synthetic_run.write_run(run)
    (run / "study.toml").write_text((synthetic_run.STUDIES / "hpcc.toml").read_text())
    info = json.loads((run / "run.json").read_text())
    info["machine"]["warnings"] = [FULL, BUSY]
    (run / "run.json").write_text(json.dumps(info))
    (run / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return build(gather(RunDirectory(run)))


def words_of(report: Report) -> str:
    """The page's words, without the study and how the run was started."""
    return re.sub(r"<[^>]*>", " ", render(report, None).partition("Measured by:")[0])


def test_without_files_nothing_is_said_of_storage(tmp_path: Path) -> None:
    report = report_of(tmp_path, COMPUTE)
    assert [one["code"] for one in report.warnings] == ["busy"]
    assert [group.title for group in report.machine][:2] == ["Memory", "Processors"]
    words = words_of(report)
    assert [one for one in OF_STORAGE if one in words] == []
    assert "first touch of a page" in words and "Open MPI" in words


@pytest.mark.parametrize("lines", [[*COMPUTE, *STORAGE], STORAGE[:1], []], ids=["both", "failed", "nothing"])
def test_with_files_it_is(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    report = report_of(tmp_path, lines)
    assert [one["code"] for one in report.warnings] == ["nearly-full", "busy"]
    words = words_of(report)
    lacking = [one for one in OF_STORAGE if one not in words]
    assert lacking == ([] if len(lines) > 1 else ["MiB/s"])


def test_each_unit_is_that_of_its_field(tmp_path: Path) -> None:
    """PTRANS and copies by HPCC's, files by that of files."""
    lines = {line.phase: line.result for line in report_of(tmp_path, [*COMPUTE, *STORAGE]).lines}
    units = {phase: re.findall(r"\S+/s", result) for phase, result in lines.items()}
    assert (units["ptrans"], units["star-copy"]) == (["GB/s"], ["GB/s"])
    assert units["write, synced at close"] == ["MiB/s"]


def test_the_rules_of_storage_are_known_by_their_module() -> None:
    assert speaks_of_storage("in-memory") and speaks_of_storage("volatile-write-cache")
    assert not any(map(speaks_of_storage, ("busy", "cold-memory", "no-launcher", "unknown")))
