"""The forecast: what the application's I/O takes if it is as fast as the case that imitates it, and how far
off that is where the application was measured too. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weir.analyse.paired import Turn, ratio_of_neighbours
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.mimic.imitation import Imitation, Phase
from weir.mimic.words import what_is_lost
from weir.predict.passes import DIRECTIONS, Pass
from weir.predict.volumes import Key, Volume, volumes

OFF = 0.10
"""A forecast that is farther off says what the benchmark could not express."""


WHAT_ERRORS_ARE = (
    "the median over pairs of neighbouring samples, so it need not be the quotient of the two medians"
)


@dataclass(frozen=True)
class Error:
    """Predicted over measured bandwidth, minus 1: above 0 the forecast promises too much."""

    ratio: MedianEstimate

    @property
    def median(self) -> float:
        """Of the pairs."""
        return self.ratio.median - 1

    @property
    def low(self) -> float | None:
        """The interval's lower end; None where there is none."""
        return None if self.ratio.low is None else self.ratio.low - 1

    @property
    def high(self) -> float | None:
        """Its upper end."""
        return None if self.ratio.high is None else self.ratio.high - 1

    @property
    def is_off(self) -> bool:
        """Is the forecast so far off that it must say why?"""
        return abs(self.median) > OFF

    @property
    def is_sure(self) -> bool:
        """Does the interval exclude 0?"""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    @property
    def why_unsure(self) -> str:
        """Why it may be chance; empty where it is sure."""
        if self.is_sure:
            return ""
        return "there is no interval" if self.low is None else "the interval contains 0"

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        ends = {"low": self.low, "high": self.high, "why_no_interval": self.ratio.why}
        return {"error": self.median, **ends, "pairs": self.ratio.count}


@dataclass(frozen=True)
class Row:
    """One direction of one phase, or of all (`phase` None): the application's bytes, times in s, bandwidths
    in B/s. `measured` and `error` are None where the application was not run."""

    phase: str | None
    direction: str
    bytes: int
    state: str
    time: MedianEstimate
    bandwidth: MedianEstimate
    measured: MedianEstimate | None
    error: Error | None
    fidelity: float
    causes: tuple[str, ...] = ()
    """What the parameters could not express, where the forecast is off."""

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "phase": self.phase,
            "direction": self.direction,
            "bytes": self.bytes,
            "state": self.state,
            "predicted_time": _estimate(self.time, "s"),
            "predicted_bandwidth": _estimate(self.bandwidth, "bytes_per_s"),
            "measured_bandwidth": self.measured and _estimate(self.measured, "bytes_per_s"),
            "error": self.error and self.error.as_data(),
            "fidelity": self.fidelity,
            "causes": list(self.causes),
        }


def _estimate(one: MedianEstimate, unit: str) -> dict[str, Any]:
    return {
        f"median_{unit}": one.median,
        f"low_{unit}": one.low,
        f"high_{unit}": one.high,
        "samples": one.count,
        "why_no_interval": one.why,
    }


Passes = Mapping[Turn, Pass]


def forecast(imitation: Imitation, benchmark: Passes, application: Passes | None) -> list[Row]:
    """A row a phase and direction, then the sums of all writes and of all reads, and of those in one state
    where they are in several."""
    asked = volumes(imitation)
    phases = {phase.name: phase for phase in imitation.phases}
    rows = [
        row
        for key in asked
        if (row := _row(imitation, phases[key[0]], key, {key: asked[key]}, benchmark, application))
    ]
    return [*rows, *_totals(imitation, rows, asked, benchmark, application)]


def _totals(
    imitation: Imitation,
    rows: list[Row],
    asked: Mapping[Key, Volume],
    benchmark: Passes,
    application: Passes | None,
) -> Iterator[Row]:
    for direction in DIRECTIONS:
        of_it = [row for row in rows if row.direction == direction]
        states = sorted({row.state for row in of_it})
        for state in [None, *(states if len(states) > 1 else [])]:
            keys = {
                (row.phase or "", direction): asked[row.phase or "", direction]
                for row in of_it
                if state in (None, row.state)
            }
            row = _row(imitation, None, ("", direction), keys, benchmark, application) if keys else None
            if row:
                yield row


def _row(  # noqa: PLR0913, PLR0917
    imitation: Imitation,
    phase: Phase | None,
    key: Key,
    asked: Mapping[Key, Volume],
    benchmark: Passes,
    application: Passes | None,
) -> Row | None:
    """The sum over these phases of one direction; None where the benchmark did not run it."""
    as_made = {at: volume.as_made for at, volume in asked.items()}
    bytes_of = {at: float(volume.bytes) for at, volume in asked.items()}
    times = {turn: time_s for turn, one in benchmark.items() if (time_s := _time_s(one, as_made)) is not None}
    moved = sum(volume.bytes for volume in asked.values())
    time = estimate_median(list(times.values()))
    bandwidths = {turn: moved / time_s for turn, time_s in times.items()}
    bandwidth = estimate_median(list(bandwidths.values()))
    if time is None or bandwidth is None:
        return None
    real = {
        turn: moved / time_s
        for turn, one in (application or {}).items()
        if (time_s := _time_s(one, bytes_of)) is not None
    }
    ratio = ratio_of_neighbours(bandwidths, real) if real else None
    error = Error(ratio) if ratio else None
    off = error is not None and error.is_off
    concerned = [phase] if phase else [one for one in imitation.phases if (one.name, key[1]) in asked]
    states = {moved.state for one in benchmark.values() for at, moved in one.items() if at in asked}
    return Row(
        phase=phase.name if phase else None,
        direction=key[1],
        bytes=moved,
        state=", ".join(sorted(states)),
        time=time,
        bandwidth=bandwidth,
        measured=estimate_median(list(real.values())),
        error=error,
        fidelity=phase.fidelity.overall if phase else imitation.fidelity.overall,
        causes=tuple(what_is_lost(imitation, concerned, key[1])) if off else (),
    )


def _time_s(one: Pass, amounts: Mapping[Key, float]) -> float | None:
    """How long these bytes take at the pass's bandwidths; None where a phase is missing."""
    total = 0.0
    for key, amount in amounts.items():
        moved = one.get(key)
        if moved is None or not moved.bytes:
            return None
        total += moved.time_s * amount / moved.bytes
    return total if total > 0 else None
