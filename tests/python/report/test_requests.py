"""The tables behind the results."""

from pathlib import Path

import synthetic_run
from rows import row
from weir.analyse.detail import Detail
from weir.report.build import build
from weir.report.gather import gather
from weir.report.page import render
from weir.report.requests import hint_lines, request_lines
from weir.store.records import HintAsked
from weir.store.run_directory import RunDirectory


def test_every_case_with_timed_requests_has_a_line(tmp_path: Path) -> None:
    report = build(gather(RunDirectory(synthetic_run.write_run(tmp_path))))
    assert len(report.requests) == len(report.lines)
    assert all(line.timed and line.done for line in report.requests)
    assert 'id="requests"' in render(report, None)


def test_an_older_run_has_no_such_table() -> None:
    assert list(request_lines([row("write", 1000)])) == []


def test_a_hint_stands_once_for_each_of_its_fates() -> None:
    asked = HintAsked("cb_nodes", "2", "1", "changed")
    lost = HintAsked("cb_nodes", "2", None, "ignored")
    rows = [
        row("write", 1000, detail=Detail(hints=(asked,))),
        row("read", 1000, detail=Detail(hints=(asked,))),
        row("write", 1000, ranks=4, detail=Detail(hints=(lost,))),
    ]
    lines = hint_lines(rows)
    assert [(line.state, line.in_force) for line in lines] == [("changed", "1"), ("ignored", "")]
    assert lines[0].settings == "2 ranks, 1 MiB transfers, shared file, POSIX"
