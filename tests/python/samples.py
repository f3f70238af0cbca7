"""Samples as they are read back from a run, and the metrics of Weir's own benchmarks."""

from __future__ import annotations

from typing import Any

from sample_lines import METRICS, sample_line
from weir.analyse.metric import Metric
from weir.store.records import SampleRecord, to_record


def _metric(key: str) -> Metric:
    unit, noun, better = METRICS[key]
    return Metric(key, unit, noun, better == "higher")


BANDWIDTH = _metric("bandwidth_bytes_per_s")
RATE = _metric("operations_per_s")
TIME = _metric("elapsed_s")


def sample(case: str = "a", phase: str = "write", **keys: Any) -> SampleRecord:
    """A sample; keywords as those of `sample_line`."""
    record = to_record(sample_line(case, phase, **keys))
    assert isinstance(record, SampleRecord)
    return record
