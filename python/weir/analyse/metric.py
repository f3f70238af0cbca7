"""The numbers of a sample: what they are, in people's units, and which one is the result."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from weir.store.records import MetricRecord, SampleRecord, ScreenPlace
from weir.units import Shown, format_seconds, shown_in

_ENDINGS = {"B/s": "bytes_per_s", "s": "s"}
_GBYTES = Shown("GB/s", 1e9)


@dataclass(frozen=True)
class Metric:
    """A number of a sample: its key in `samples.jsonl`, its unit there, what it is called, and which way is
    better."""

    key: str
    unit: str
    noun: str
    greater_is_better: bool
    decimal: bool = False
    """Whether its bandwidths are shown in GB/s, of 10^9 B."""
    first_screen: ScreenPlace | None = field(default=None, compare=False)
    """Where it stands on the first screen; null: its benchmark does not say."""

    @property
    def suffix(self) -> str:
        """The end of a key that holds a value of it: "bytes_per_s"."""
        return _ENDINGS.get(self.unit, self.key)

    @property
    def is_bandwidth(self) -> bool:
        """Whether it counts bytes a second."""
        return self.unit == "B/s"

    @property
    def is_size(self) -> bool:
        """Whether it counts bytes: then a ratio is one of sizes, and not of speeds."""
        return self.unit == "B"

    @property
    def shown(self) -> Shown:
        """The unit in which people read it."""
        return _GBYTES if self.decimal else shown_in(self.unit, self.key)

    @property
    def shown_unit(self) -> str:
        """That unit's name."""
        return self.shown.unit

    @property
    def scale(self) -> float:
        """That unit, in the unit of the data."""
        return self.shown.scale

    def show(self, value: float) -> str:
        """The value for people, without its unit."""
        return self.shown.show(value)

    def words(self, value: float) -> str:
        """The value for people with its unit: "2730 MiB/s", or a time in the unit that fits, "21.3 ms"."""
        return format_seconds(value) if self.unit == "s" else f"{self.show(value)} {self.shown_unit}"


UNMEASURED = Metric("", "", "", True)
"""Of what has no number at all."""


def metric_of(sample: SampleRecord) -> Metric | None:
    """The first metric that the sample has a number for, which is the result; None if it has none."""
    found = (one for one in sample.metrics if one.value is not None)
    return next((_metric(one) for one in found), None)


def value_of(sample: SampleRecord) -> float | None:
    """The sample's result, in the unit of its metric."""
    return next((one.value for one in sample.metrics if one.value is not None), None)


def steering_value(sample: SampleRecord) -> float | None:
    """The result, if its spread says whether more samples are needed: that of a share may be 0, or far from
    it by chance, and its relative width says nothing."""
    metric = metric_of(sample)
    return None if metric is None or metric.key.endswith("_share") else value_of(sample)


def value_under(sample: SampleRecord, key: str) -> float | None:
    """The number of the metric of that key; None where the sample has none."""
    return next((one.value for one in sample.metrics if one.key == key), None)


def bandwidth_of(sample: SampleRecord) -> float | None:
    """The sample's bandwidth in B/s, whatever its metric; None where it has none."""
    return next((one.value for one in sample.metrics if one.unit == "B/s"), None)


def common_metrics(samples: Iterable[SampleRecord]) -> list[Metric]:
    """The metrics that any of the samples has a number for, in their order; the first is the result of all of
    them. One of the same key is the same metric."""
    order: dict[str, MetricRecord] = {}
    known = set()
    for sample in samples:
        for one in sample.metrics:
            order.setdefault(one.key, one)
            if one.value is not None:
                known.add(one.key)
    return [_metric(one) for key, one in order.items() if key in known]


def _metric(one: MetricRecord) -> Metric:
    return Metric(
        key=one.key,
        unit=one.unit,
        noun=one.noun or one.key,
        greater_is_better=one.better == "higher",
        decimal=one.decimal and one.unit == "B/s",
        first_screen=one.first_screen,
    )
