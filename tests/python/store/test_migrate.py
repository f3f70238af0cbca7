"""Runs of the first schema: what they said is read as if it were written today."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cloud_runs import SMALL, run_sample, transfer_sample
from sample_lines import sample_line
from synthetic_run import World, write_run
from weir.cli._results import show_summary, summary_data
from weir.export.format import find_format
from weir.export.source import Source
from weir.report.build import as_data, build
from weir.report.gather import gather
from weir.store.records import migrated
from weir.store.run_directory import RunDirectory

RATES = {"bandwidth_bytes_per_s": 1.0, "operations_per_s": 2.0}


def old(line: dict[str, Any]) -> dict[str, Any]:
    """The line as the first schema had it: metrics and details are keys of the line, unknown ones null."""
    if line["kind"] != "sample":
        return line
    gone = ("metrics", "details", "bytes_written", "bytes_read")
    flat = {key: value for key, value in line.items() if key not in gone}
    known = {one["key"]: one["value"] for one in line["metrics"]}
    rates = dict.fromkeys(("bandwidth_bytes_per_s", "operations_per_s"))
    return {**flat, "schema": 1, **rates, **known, **line["details"]}


@pytest.fixture(params=["quick", "cloud"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[RunDirectory, RunDirectory]:
    """A run as it is written today, and the same as it was written before."""
    found = []
    for name in ("new", "old"):
        run = RunDirectory(write_run(tmp_path / name / "run", World(), "quick"))
        written = [json.loads(line) for line in run.samples_path.read_text().splitlines()]
        if request.param == "cloud":
            case = {"kind": "case", "case": "c", "benchmark": "cloud", "ranks": 8, "comparisons": ["quick"]}
            written = [case | {"options": {"cells": "128x128x64", "method": "two-phase"}}]
            for at in range(7):
                written += [
                    transfer_sample("c", SMALL, "write", repetition=at, elapsed_s=1 + at / 9),
                    transfer_sample("c", SMALL, "read", repetition=at, elapsed_s=2 + at / 9),
                    run_sample("c", SMALL, repetition=at),
                ]
        if name == "old":
            written = list(map(old, written))
            info = json.loads((run.path / "run.json").read_text())
            (run.path / "run.json").write_text(json.dumps(info | {"schema": 1}))
        run.samples_path.write_text("".join(json.dumps(line) + "\n" for line in written))
        found.append(run)
    return found[0], found[1]


def test_old_and_new_runs_show_and_report_the_same(
    both: tuple[RunDirectory, RunDirectory], capsys: pytest.CaptureFixture[str]
) -> None:
    shown, data, reports, tables = [], [], [], []
    for run in both:
        show_summary(run, requests=True)
        shown.append(capsys.readouterr().out)
        data.append(summary_data(run))
        reports.append(as_data(build(gather(run))))
        for form in ("csv", "openmetrics"):
            with (run.path / "exported").open("w+b") as file:
                find_format(form).write(Source(run), None, file)
            tables.append((run.path / "exported").read_text())
    assert shown[0] == shown[1] and "MiB/s" in shown[0]
    assert data[0] == data[1] and data[0]["rows"]
    assert reports[0] == reports[1]
    assert tables[0] == tables[2] and tables[1] == tables[3]


def test_a_line_of_today_and_one_of_another_kind_stay_as_they_are() -> None:
    for line in (sample_line("a", "write", bandwidth_bytes_per_s=1.0), {"kind": "begin", "case": "a"}):
        assert migrated(line) is line


@pytest.mark.parametrize(
    ("known", "keys"),
    [
        (RATES, list(RATES)),
        ({"bandwidth_bytes_per_s": None, "operations_per_s": 2.0}, ["operations_per_s"]),
        ({"compute_s": 2.0, "cell_updates_per_s": None}, ["elapsed_s", "compute_s"]),
        ({}, ["elapsed_s"]),
    ],
)
def test_the_time_is_a_metric_where_there_was_no_rate(known: dict[str, Any], keys: list[str]) -> None:
    line = migrated({"kind": "sample", "case": "a", "phase": "p", "elapsed_s": 3.0, **known})
    assert [one["key"] for one in line["metrics"]] == keys
    assert line["elapsed_s"] == 3.0
    assert "bandwidth_bytes_per_s" not in line


@pytest.mark.parametrize(
    ("phase", "sync", "written"),
    [("write", None, 8), ("mixed", "close", 8), ("read", None, 0), ("check", None, 0)],
)
def test_where_a_line_says_only_how_many_bytes_its_words_say_which_way(
    phase: str, sync: str | None, written: int
) -> None:
    line = migrated({"kind": "sample", "case": "a", "phase": phase, "bytes": 8, "sync": sync})
    assert (line["bytes_written"], line["bytes_read"]) == (written, 8 - written)
    told = migrated({"kind": "sample", "bytes": 8, "bytes_written": 3, "bytes_read": 5})
    assert (told["bytes_written"], told["bytes_read"]) == (3, 5)
