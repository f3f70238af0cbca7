"""LogGP's parameters of messages by ranges of sizes, and what they predict.

A message of s bytes takes L + o_s + o_r + s G: latency, overhead of sender and receiver, gap a byte; a sender
starts its next one after a gap g (A. Alexandrov et al., LogGP, SPAA 1995). L + o_s + o_r and G are the line
of half a PingPong. Overheads and gap come from the parametrised round trip PRTT(n, d, s): n messages with
delays d between them, and one back (T. Hoefler, A. Lichei, W. Rehm, IPDPS 2007):

    g   = (PRTT(n, 0, s) - PRTT(1, 0, s)) / (n - 1)
    o_s = (PRTT(n, d, s) - PRTT(1, 0, s)) / (n - 1) - d       with d > PRTT(1, 0, s)
    o_r = PRTT(1, 0, s) with a pause p before the answer is received, - p - o_s
    L   = PRTT(1, 0, s) / 2 - o_s - o_r

Whether a send waits for its receiver is seen where the receiver comes late.

Where the calls themselves move the data, or wait for the other side (rendezvous), the overheads contain the
transfer and nothing is left for L: then it is unknown.

All times in s, sizes in bytes.
"""

import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from weir.analyse.statistics import FEWEST_SAMPLES, estimate_median
from weir.network.ranges import PRICE, Fit, Line, fit_ranges, refit

TRIALS = 200
"""Of the bootstrap; enough for the ends of a 95 % interval to be known within a tenth of its width."""


@dataclass(frozen=True, order=True)
class Call:
    """What was timed: a function of the benchmark `network`; the last four are for PRTT."""

    function: str
    bytes: int
    messages: int = 1
    delay_s: float = 0.0
    pause_s: float = 0.0
    late_s: float = 0.0


Samples = Mapping[Call, Sequence[tuple[int, float]]]
"""(launch, time in s) of each sample."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval; None where it is unknown, or too few launches were made."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Range:
    """Parameters for messages of `low` to `high` bytes, in s; G in s a byte. `at` is the size for which o_s,
    o_r, g and L were measured; None if no PRTT was measured in this range."""

    low: int
    high: int
    count: int
    start: Estimate
    G: Estimate
    at: int | None
    L: Estimate
    o_s: Estimate
    o_r: Estimate
    g: Estimate


@dataclass(frozen=True)
class Switch:
    """The time jumps between these two sizes, by this ratio."""

    low: int
    high: int
    ratio: Estimate


@dataclass(frozen=True)
class Prediction:
    """A time that the model did not see, and what it predicts; `error` relative to the measured one."""

    call: Call
    count: int
    measured_s: float
    low_s: float | None
    high_s: float | None
    predicted_s: float

    @property
    def error(self) -> float:
        """Positive where the model predicts more than was measured."""
        return self.predicted_s / self.measured_s - 1


@dataclass(frozen=True)
class Model:
    """All that the samples say; `worst` is the largest relative error of the sizes that were fitted."""

    one_way: Fit
    both_ways: Fit | None
    ranges: tuple[Range, ...]
    switches: tuple[Switch, ...]
    waits: tuple[int, int] | None
    """Messages of the first size are sent without the receiver, those of the second wait for it."""
    copies: tuple[tuple[int, float], ...]
    measured: tuple[tuple[int, int, float, float | None, float | None], ...]
    """Of half a PingPong: size, samples, median, and its interval."""
    launches: int
    predictions: tuple[Prediction, ...] = field(default=())

    @property
    def worst(self) -> float:
        """Sizes that were left out of their range count too."""
        return max(abs(self.one_way.at(size) / time_s - 1) for size, _, time_s, _, _ in self.measured)

    def predict(self, call: Call) -> float | None:
        """The time of that call on two ranks; None where the model has no term for it."""
        size = call.bytes
        if call.function == "PingPong":
            return self.one_way.at(size)
        if self.both_ways is None:
            return None
        line = self.both_ways.line_of(size)
        match call.function:
            case "PingPing" | "Sendrecv":
                return line.at(size)
            case "Exchange":
                # A second message each way follows the first after a gap.
                gap_s = self._gap_s(size, line)
                return None if gap_s is None else line.at(size) + gap_s
            case "Alltoall":
                copy_s = self._copy_s(size)
                return None if copy_s is None else line.at(size) + copy_s
        return None

    def _gap_s(self, size: int, line: Line) -> float | None:
        """The time from a message of that size to the next: that of the range, or of the nearest below with
        one, measured at one size; for more bytes along the line."""
        known = [one for one in self.ranges if one.low <= size and one.g.value is not None]
        if not known:
            return None
        at, gap_s = known[-1].at or 0, known[-1].g.value or 0.0
        return gap_s + line.byte_s * max(size - at, 0)

    def _copy_s(self, size: int) -> float | None:
        """Between measured sizes along a line, beyond them in proportion."""
        for (low, low_s), (high, high_s) in pairwise(self.copies):
            if low <= size <= high:
                return low_s + (high_s - low_s) * (size - low) / (high - low)
        if not self.copies:
            return None
        edge, edge_s = self.copies[0] if size < self.copies[0][0] else self.copies[-1]
        return edge_s * size / edge if edge else edge_s


def make_model(used: Samples, held_out: Samples) -> Model:
    """The model of the used samples, and its predictions of the others. Raises ValueError without a
    PingPong."""
    medians = {call: statistics.median(time for _, time in some) for call, some in used.items() if some}
    one_way = fit_of(used, "PingPong")
    both_ways = fit_of(used, "PingPing") if any(call.function == "PingPing" for call in medians) else None
    trials = [_parameters(one, one_way) for one in _resampled(used)]
    found = _parameters(medians, one_way)

    def estimate(key: str) -> Estimate:
        return _interval(found.get(key), [trial.get(key) for trial in trials])

    sizes = [call.bytes for call in medians if call.function == "PingPong"]
    ranges = [
        Range(
            low=line.low,
            high=max(size for size in sizes if line.low <= size <= line.high and size not in line.left_out),
            count=line.count,
            at=_size_in(medians, line),
            **{key: estimate(f"{at} {key}") for key in ("start", "G", "L", "o_s", "o_r", "g")},
        )
        for at, line in enumerate(one_way.lines)
    ]
    jumps = [(at, one) for at, one in enumerate(one_way.boundaries) if one.is_jump]
    model = Model(
        one_way,
        both_ways,
        tuple(ranges),
        tuple(Switch(one.low, one.high, estimate(f"{at} ratio")) for at, one in jumps),
        waiting_from(medians),
        tuple(
            sorted((call.bytes, time_s) for call, time_s in medians.items() if call.function == "LocalCopy")
        ),
        tuple(
            (call.bytes, *_measured(used[call])) for call in sorted(medians) if call.function == "PingPong"
        ),
        len(_launches(used)),
    )
    return Model(**{**vars(model), "predictions": tuple(_predictions(model, held_out))})


def waiting_from(medians: Mapping[Call, float]) -> tuple[int, int] | None:
    """The neighbouring sizes between which a send begins to wait for its receiver: with both ranks busy for
    the same time, before either receives, a call takes that time or twice that. None if all or none wait, or
    that was not measured."""
    waits = [
        (call.bytes, time_s > 1.5 * call.late_s)
        for call, time_s in sorted(medians.items())
        if call.function == "PRTT" and call.late_s > 0 and call.late_s == call.pause_s
    ]
    return next(((low, high) for (low, one), (high, other) in pairwise(waits) if other and not one), None)


def fit_of(used: Samples, function: str, price: float = PRICE) -> Fit:
    """The ranges of a function's sizes. Raises ValueError where it was not measured."""
    calls = [call for call in sorted(used) if call.function == function and used[call]]
    estimates = [_measured(used[call]) for call in calls]
    errors = [_relative_error(*one) for one in estimates]
    return fit_ranges([call.bytes for call in calls], [one[1] for one in estimates], errors, price)


def _relative_error(count: int, median: float, low: float | None, high: float | None) -> float:
    """Half the interval's lower side, as for a normal distribution; 0 where there is none. The upper side
    tells of other programs, which only ever add time."""
    return 0.0 if low is None or not median else (median - low) / 2 / median


def _measured(samples: Sequence[tuple[int, float]]) -> tuple[int, float, float | None, float | None]:
    found = estimate_median([time for _, time in samples])
    assert found is not None
    return found.count, found.median, found.low, found.high


def _predictions(model: Model, held_out: Samples) -> list[Prediction]:
    found = []
    for call in sorted(held_out):
        predicted = model.predict(call)
        if predicted is not None and held_out[call]:
            found.append(Prediction(call, *_measured(held_out[call]), predicted))
    return found


def _parameters(medians: Mapping[Call, float], fit: Fit) -> dict[str, float | None]:
    """Every number by its range and name."""
    points = [(call.bytes, time_s) for call, time_s in medians.items() if call.function == "PingPong"]
    again = refit(fit, *map(list, zip(*points, strict=True))) if points else fit
    known = [sum(line.low <= size <= line.high for size, _ in points) >= 2 for line in fit.lines]
    found: dict[str, float | None] = {
        f"{at} ratio": one.ratio for at, one in enumerate(again.boundaries) if known[at] and known[at + 1]
    }
    for at, line in enumerate(again.lines):
        if known[at]:
            found |= {f"{at} start": line.start_s, f"{at} G": line.byte_s or None}
        size = _size_in(medians, line)
        if size is not None:
            found |= {f"{at} {key}": value for key, value in _round_trips(medians, size).items()}
    return found


def _size_in(medians: Mapping[Call, float], line: Line) -> int | None:
    """The smallest size in that range of which a round trip was measured."""
    sizes = [call.bytes for call in medians if call == Call("PRTT", call.bytes)]
    return min((size for size in sizes if line.low <= size <= line.high), default=None)


def _round_trips(medians: Mapping[Call, float], size: int) -> dict[str, float | None]:
    trip_s = medians[Call("PRTT", size)]
    found: dict[str, float | None] = {}
    for call, time_s in sorted(medians.items()):
        if call.function == "PRTT" and call.bytes == size and call.messages > 1:
            each_s = (time_s - trip_s) / (call.messages - 1) - call.delay_s
            if call.delay_s == 0:
                found["g"] = _positive(each_s)
            elif call.delay_s > trip_s:
                found["o_s"] = _positive(each_s)
    o_s = found.get("o_s")
    for call, time_s in sorted(medians.items()):
        alone = call.function == "PRTT" and call.bytes == size and call.messages == 1
        if alone and not call.late_s and call.pause_s > trip_s and o_s is not None:
            found["o_r"] = _positive(time_s - call.pause_s - o_s)
    o_r = found.get("o_r")
    if o_s is not None and o_r is not None:
        found["L"] = _positive(trip_s / 2 - o_s - o_r)
    return found


def _positive(value: float) -> float | None:
    return value if value > 0 else None


def _launches(samples: Samples) -> list[int]:
    return sorted({launch for some in samples.values() for launch, _ in some})


def _resampled(samples: Samples) -> list[dict[Call, float]]:
    """Medians of launches drawn with repetition: what differs from launch to launch differs for all sizes at
    once. Of a call that was in few launches samples are drawn, and of one with too few samples nothing."""
    launches = _launches(samples)
    draw, found = random.Random(0), []
    for _ in range(TRIALS):
        drawn, trial = draw.choices(launches, k=len(launches)), dict[Call, float]()
        for call, some in samples.items():
            own = {launch for launch, _ in some}
            if len(some) >= FEWEST_SAMPLES:
                of = [time_s for launch in drawn for at, time_s in some if at == launch]
                few = len(own) < FEWEST_SAMPLES or not of
                chosen = draw.choices([time_s for _, time_s in some], k=len(some)) if few else of
                trial[call] = statistics.median(chosen)
        found.append(trial)
    return found


def _interval(value: float | None, trials: Sequence[float | None]) -> Estimate:
    """Percentiles of the bootstrap; none where the value is unknown in more than a tenth of the trials."""
    known = sorted(one for one in trials if one is not None and math.isfinite(one))
    if value is None or not trials or len(known) < 0.9 * len(trials):
        return Estimate(value)
    cut = int(0.025 * len(known))
    return Estimate(value, min(known[cut], value), max(known[-1 - cut], value))
