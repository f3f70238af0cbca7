"""Values from samples of the study `model`: each with its interval, and what it was taken from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.errors import ExitCode, WeirError
from weir.results.row import Row
from weir.simulate.kinds import Kind
from weir.store.records import SampleRecord

STUDY = "model"
Figure = Callable[[SampleRecord], float]


@dataclass(frozen=True)
class Cases:
    """The rows of a run."""

    rows: Sequence[Row]
    run: str
    """Where it is."""

    def of(self, comparison: str, phase: str, **options: Any) -> Row:
        """The one of that comparison's phase with these options. Raises WeirError where it has no samples."""
        for row in self.rows:
            is_it = comparison in row.comparisons and row.phase == phase and row.records
            if is_it and options.items() <= row.options.items():
                return row
        words = ", ".join([comparison, phase, *(f"{key} {value}" for key, value in options.items())])
        raise WeirError(
            f"'{self.run}' gives no model of its machine",
            f"it has no samples of: {words}",
            f"make a run that has, with time for it: weir run {STUDY} --budget 6m",
            ExitCode.NOTHING_SELECTED,
        )


def seconds_of(step: str) -> Figure:
    """A step's time on the slowest rank."""

    def seconds(sample: SampleRecord) -> float:
        times = sample.times.get(step)
        return (times.max_s if times else None) or 0.0

    return seconds


def rate(sample: SampleRecord) -> float:
    """Bytes of all ranks for each second that the slowest transferred."""
    return (sample.bytes or 0) / seconds_of("transfer")(sample)


def each(sample: SampleRecord) -> float:
    """Seconds of a request of a rank."""
    ranks, operations = sample.ranks or 1, sample.operations or 1
    return seconds_of("transfer")(sample) * ranks / operations


def median_of(row: Row, figure: Figure) -> MedianEstimate:
    """Over the row's samples."""
    found = estimate_median([figure(sample) for sample in row.records])
    assert found is not None  # a row of Cases has samples
    return found


def measured(kind: Kind, row: Row, figure: Figure, what: str) -> dict[str, Any]:
    """As a model has it. Raises WeirError where it comes out as nothing, which it cannot be."""
    found = median_of(row, figure)
    if found.median <= 0:
        raise WeirError(
            f"the model's {what} is less than nothing",
            f"as measured by {row.case}: {found.median:.3g}",
            "measure once more, on a quiet machine",
            ExitCode.INCONCLUSIVE,
        )
    value = {"value": kind.spell(found.median), "source": f"measured: {what}", "n": found.count}
    if found.low is None or found.high is None or found.low <= 0:
        return value
    return value | {"low": kind.spell(found.low), "high": kind.spell(found.high)}


def assumed(value: str | int, why: str) -> dict[str, Any]:
    """What nothing measures."""
    return {"value": value, "source": f"assumed: {why}"}
