"""Which number of a sample is the result: bandwidth where bytes move, else operations a second, else time."""

from dataclasses import dataclass

from weir.store.records import SampleRecord
from weir.units import significant

MIB = float(1 << 20)


@dataclass(frozen=True)
class Metric:
    """A number of a sample: its key in `samples.jsonl`, its unit there, which way is better, what it is
    called, and the unit in which people read it, `scale` of the unit in the data."""

    key: str
    unit: str
    greater_is_better: bool
    noun: str
    shown_unit: str
    scale: float = 1.0

    @property
    def suffix(self) -> str:
        """The end of a key that holds a value of it: "bytes_per_s"."""
        return self.key.removeprefix("bandwidth_").removeprefix("elapsed_")

    def show(self, value: float) -> str:
        """The value for people, without its unit."""
        text = significant(value / self.scale)
        return f"{int(text):,}" if text.isdigit() and len(text) > 4 else text


BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", True, "bandwidth", "MiB/s", MIB)
RATE = Metric("operations_per_s", "1/s", True, "rate", "operations/s")
TIME = Metric("elapsed_s", "s", False, "time", "s")
METRICS = (BANDWIDTH, RATE, TIME)


def metric_of(sample: SampleRecord) -> Metric | None:
    """The first metric that the sample has a number for; None if it has none."""
    return next((metric for metric in METRICS if getattr(sample, metric.key) is not None), None)


def value_of(sample: SampleRecord) -> float | None:
    """The sample's number under its metric."""
    metric = metric_of(sample)
    return None if metric is None else float(getattr(sample, metric.key))
