"""Samples that were recorded before metrics said their units for people and their places themselves."""

from typing import Any

import pytest

from sample_lines import sample_line
from weir.analyse.metric import metric_of
from weir.store.records import SampleRecord, to_record

OLD = [{"key": "bandwidth_bytes_per_s", "value": 2e9, "unit": "B/s", "noun": "bandwidth", "better": "higher"}]


def read(benchmark: str, phase: str, **keys: Any) -> SampleRecord:
    line = {**sample_line("a", phase), "benchmark": benchmark, "metrics": OLD, "details": {}, **keys}
    record = to_record(line)
    assert isinstance(record, SampleRecord)
    return record


@pytest.mark.parametrize(
    ("benchmark", "details", "decimal"),
    [
        ("hpcc", {}, True),
        ("rings", {}, True),
        ("stream", {"rules": "baseline"}, True),
        ("stream", {}, False),
        ("storage", {}, False),
    ],
)
def test_old_bandwidths_of_hpcc_are_decimal(benchmark: str, details: dict[str, Any], decimal: bool) -> None:
    metric = metric_of(read(benchmark, "ptrans", details=details))
    assert metric is not None and metric.decimal is decimal
    assert metric.words(2e9) == ("2.00 GB/s" if decimal else "1910 MiB/s")


def test_what_a_sample_says_itself_stands() -> None:
    metric = metric_of(read("hpcc", "ptrans", metrics=[{**OLD[0], "decimal": False}]))
    assert metric is not None and not metric.decimal and metric.first_screen is None


@pytest.mark.parametrize(
    ("benchmark", "phase", "label"),
    [("hpcc", "ptrans", "PTRANS"), ("hpcc", "single-copy", None), ("rings", "random-ring", None)],
)
def test_old_results_of_hpcc_have_their_places(benchmark: str, phase: str, label: str | None) -> None:
    metric = metric_of(read(benchmark, phase))
    assert metric is not None
    assert (metric.first_screen.label if metric.first_screen else None) == label
