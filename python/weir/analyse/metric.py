"""Which number of a sample is the result: bandwidth where bytes move, else operations a second, else time."""

from dataclasses import dataclass

from weir.store.records import SampleRecord


@dataclass(frozen=True)
class Metric:
    """A number of a sample: its key in `samples.jsonl`, its unit, and which way is better."""

    key: str
    unit: str
    greater_is_better: bool


METRICS = (
    Metric("bandwidth_bytes_per_s", "B/s", greater_is_better=True),
    Metric("operations_per_s", "1/s", greater_is_better=True),
    Metric("elapsed_s", "s", greater_is_better=False),
)


def metric_of(sample: SampleRecord) -> Metric | None:
    """The first metric that the sample has a number for; None if it has none."""
    return next((metric for metric in METRICS if getattr(sample, metric.key) is not None), None)


def value_of(sample: SampleRecord) -> float | None:
    """The sample's number under its metric."""
    metric = metric_of(sample)
    return None if metric is None else float(getattr(sample, metric.key))
