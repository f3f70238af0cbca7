"""OpenMetrics text, for Prometheus: its node exporter's textfile collector takes the file as it is.

Source: OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec). Only gauges, and no time
stamps, since the textfile collector knows no other types of OpenMetrics and refuses time stamps.
"""

import datetime
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from weir.errors import WeirError
from weir.export.format import CellType, Format, Written, export_format
from weir.export.source import CaseColumns, Source, cell
from weir.printable import printable_lines
from weir.results.row import Measured, Row
from weir.results.summary import summarise


@export_format("openmetrics")
class OpenMetrics(Format):
    """Medians, bounds of their intervals and numbers of samples, as gauges with the case in their labels."""

    def prepare(self, table: str | None) -> None:
        """Raises WeirError if a table is asked for."""
        if table is not None:
            raise WeirError(
                f"openmetrics has no table '{table}'",
                "it holds the medians of all cases",
                "leave --table out, or use --format csv",
            )

    def write(self, source: Source, table: str | None, out: BinaryIO) -> Written:
        """Write all gauges."""
        gauges = _gauges(source)
        for line in gauges.lines():
            out.write(line.encode() + b"\n")
        out.write(b"# EOF\n")
        results = gauges.count("weir_samples")
        return Written("results", results, "" if results else "no sample was taken")


def _gauges(source: Source) -> "Gauges":
    gauges = Gauges()
    of_run = _labels_of_run(source)
    gauges.add(
        "weir_run_created_timestamp_seconds", "When the run was made.", "seconds", of_run, _created_s(source)
    )
    columns = CaseColumns(source)
    of_case = {name: of_run | _labels_of_case(source, columns, name) for name in source.cases}
    for row in summarise(source.light_records()).rows:
        for name, about, unit, value in _results(row):
            gauges.add(name, about, unit, of_case[row.case] | {"phase": row.phase}, value)
    failed = Counter(failure.case for failure in source.failures)
    for case, labels in of_case.items():
        gauges.add("weir_failures", "Times that the case failed.", "", labels, failed[case])
    return gauges


def _results(row: Row) -> Iterator[tuple[str, str, str, float | None]]:
    """Name, help, unit and value of each number of a result."""
    for one in row.metrics:
        yield from _simulated(one) if row.simulated else _estimate(one)
    yield "weir_samples", "Samples that the number rests on.", "", row.n
    known = row.finished is not None and not row.simulated
    verdict = int(row.verdict == "precise") if known else None
    yield "weir_precise", "1 if the interval is as narrow as the study wanted, else 0.", "", verdict
    share = "Share of the samples whose bytes cannot have come from the device."
    yield "weir_cache_suspect_ratio", share, "ratio", row.suspect_share


def _estimate(one: Measured) -> Iterator[tuple[str, str, str, float | None]]:
    what, unit = _spelled(one.metric.key)
    for part, name, value in (
        ("Median", "median", one.estimate.median),
        ("Lower bound of the 95 % interval of the median", "interval_low", one.estimate.low),
        ("Upper bound of the 95 % interval of the median", "interval_high", one.estimate.high),
    ):
        full = "_".join(filter(None, ("weir", name, what, unit)))
        yield full, f"{part} of the {one.metric.noun} over the samples.", unit, value


def _simulated(one: Measured) -> Iterator[tuple[str, str, str, float | None]]:
    what, unit = _spelled(one.metric.key)
    # Of a name of its own, since the collector refuses one name with two texts of help.
    full = "_".join(filter(None, ("weir_simulated", what, unit)))
    about = f"The {one.metric.noun} on a model of a machine: simulated, not measured."
    yield full, about, unit, one.estimate.median


def _spelled(key: str) -> tuple[str, str]:
    """What a metric's key counts and its unit as Prometheus spells it: `bandwidth`, `bytes_per_second`; no
    unit where the key ends in none that Prometheus has."""
    words = re.sub(r"\W", "_", key).split("_")
    if words[-2:] == ["per", "s"] and len(words) > 2:
        return "_".join(words[:-3]), f"{words[-3]}_per_second"
    if words[-1] == "s":
        return "_".join(words[:-1]), "seconds"
    return "_".join(words), ""


def _labels_of_run(source: Source) -> "Labels":
    host = (source.info.machine or {}).get("host")
    name = host.get("name") if isinstance(host, dict) else host
    found = {
        "run": source.run.name,
        "study": source.info.study.name,
        "directory": source.info.directory,
        "host": name,
        "simulated": "true" if source.info.simulated_on else None,
        "machine": source.info.simulated_on,
    }
    return {key: str(value) for key, value in found.items() if value}


def _labels_of_case(source: Source, columns: CaseColumns, name: str) -> "Labels":
    case = source.cases[name]
    labels = {"case": name, "benchmark": case.benchmark, "ranks": str(case.ranks)}
    for option, column in columns.varying_options().items():
        value = case.options.get(option)
        if value is not None:
            labels[column] = str(cell(value, CellType.TEXT))
    return labels


def _created_s(source: Source) -> float | None:
    try:
        return datetime.datetime.fromisoformat(source.info.created_at).timestamp()
    except ValueError:
        return None


Labels = dict[str, str]


@dataclass
class Family:
    """A metric: what it is, its unit in OpenMetrics' words (or ""), and its values by labels."""

    help: str
    unit: str = ""
    points: list[tuple[Labels, float]] = field(default_factory=list)

    def lines(self, name: str) -> Iterator[str]:
        """The family as text; the values of one family must stand together."""
        yield f"# HELP {name} {_escaped(self.help)}"
        yield f"# TYPE {name} gauge"
        if self.unit:
            yield f"# UNIT {name} {self.unit}"
        for labels, value in self.points:
            inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
            yield f"{name}{{{inside}}} {value!r}"


class Gauges:
    """Families by name, in the order in which they first got a value."""

    def __init__(self) -> None:
        self._families: dict[str, Family] = {}

    def add(self, name: str, about: str, unit: str, labels: Labels, value: float | None) -> None:
        """Take in a value; one that is unknown is left out, since a gauge has no word for it."""
        if value is not None:
            self._families.setdefault(name, Family(about, unit)).points.append((labels, value))

    def count(self, name: str) -> int:
        """How many values a family has."""
        return len(self._families[name].points) if name in self._families else 0

    def lines(self) -> Iterator[str]:
        """All families as text."""
        for name, family in self._families.items():
            yield from family.lines(name)


def _escaped(text: str) -> str:
    return printable_lines(text).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
