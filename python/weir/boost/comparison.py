"""What boosting brought, by runs without and with it in turns. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weir.analyse.metric import Metric
from weir.analyse.paired import Standing, ratio_of_neighbours, standing_of
from weir.analyse.statistics import MedianEstimate
from weir.answers.answer import Answer, Certainty, Quantity, Ratio
from weir.answers.quantities import certainty_of, quantity_from
from weir.answers.tables import ACTIONS, TITLES, declare
from weir.boost.launches import Launch
from weir.errors import ExitCode
from weir.units import significant

IO = Metric("io_s", "s", "time in collective I/O of a rank", greater_is_better=False)
WHOLE = Metric("whole_s", "s", "time of the whole run", greater_is_better=False)
VERDICTS = {
    Standing.ABOVE: "{times} times as fast in I/O{ends}",
    Standing.BELOW: "slower: {times} times as fast in I/O{ends}",
    Standing.ALIKE: "no gain: {times} times as fast in I/O{ends}",
    Standing.OPEN: "no gain shown: {times} times as fast in I/O{ends}",
}
NOTHING_TAKEN = "no call was taken over"

declare(TITLES, {"boosted-io": "I/O a rank", "boosted-run": "whole run"})
declare(ACTIONS, {"boost": "boost it", "boost-not": "do not boost it"})


@dataclass(frozen=True)
class Trial:
    """One run of the command: how long it took, and what each launch of ranks in it did."""

    whole_s: float
    launches: tuple[Launch, ...]

    @property
    def io_s(self) -> float:
        """Of a rank, in collective I/O of all launches."""
        return sum(one.io_s for one in self.launches)

    @property
    def calls(self) -> int:
        """Collective ones, each once for all ranks of its file."""
        return sum(one.collective for one in self.launches)

    @property
    def taken(self) -> int:
        """Those of them that were taken over."""
        return sum(one.taken for one in self.launches)

    @property
    def pieces(self) -> int:
        """Contiguous parts of ranks in the file, of calls that were taken over."""
        return sum(one.pieces for one in self.launches)

    @property
    def requests(self) -> int:
        """What reached the file system for them."""
        return sum(one.requests for one in self.launches)


@dataclass(frozen=True)
class Pair:
    """Two runs, one shortly after the other."""

    without: Trial
    boosted: Trial


@dataclass(frozen=True)
class Row:
    """One time, without and boosted, and how many times as fast."""

    answer: Answer
    without: Quantity
    boosted: Quantity
    ratio: MedianEstimate | None


@dataclass(frozen=True)
class Comparison:
    """What came of pairs, of which there is one at least."""

    pairs: tuple[Pair, ...]
    io: Row
    whole: Row

    @property
    def standing(self) -> Standing:
        """Of the speed in I/O."""
        ratio = self.io.ratio
        return standing_of(ratio.low, ratio.high) if ratio else Standing.OPEN

    @property
    def last(self) -> Trial:
        """The boosted run whose counts are shown."""
        return self.pairs[-1].boosted

    @property
    def verdict(self) -> str:
        """At most twelve words."""
        ratio = self.io.ratio
        if ratio is None or (self.last.taken == 0 and self.standing is not Standing.BELOW):
            return NOTHING_TAKEN
        return VERDICTS[self.standing].format(times=significant(ratio.median, 2), ends=ends_of(ratio))

    @property
    def exit_code(self) -> ExitCode:
        """Slower is a regression; what cannot be told is inconclusive."""
        if self.standing is Standing.BELOW:
            return ExitCode.THRESHOLD
        undecided = self.standing is Standing.OPEN and self.last.taken > 0
        return ExitCode.INCONCLUSIVE if undecided else ExitCode.FINE


def ends_of(ratio: MedianEstimate) -> str:
    """ " [1.5, 2.1]", or that there is none."""
    if ratio.low is None or ratio.high is None:
        return " (no interval)"
    return f" [{significant(ratio.low, 2)}, {significant(ratio.high, 2)}]"


def compare(pairs: Sequence[Pair]) -> Comparison:
    """What these show; there must be one."""
    io = _row("boosted-io", IO, pairs, lambda one: one.io_s)
    return Comparison(tuple(pairs), io, _row("boosted-run", WHOLE, pairs, lambda one: one.whole_s))


def _row(question: str, metric: Metric, pairs: Sequence[Pair], time_of: Callable[[Trial], float]) -> Row:
    without = {(at, 0): time_of(pair.without) for at, pair in enumerate(pairs)}
    boosted = {(at, 0): time_of(pair.boosted) for at, pair in enumerate(pairs)}
    ratio = ratio_of_neighbours(without, boosted)
    return Row(
        _answer(question, ratio),
        quantity_from(metric, list(without.values())),
        quantity_from(metric, list(boosted.values())),
        ratio,
    )


def _answer(question: str, ratio: MedianEstimate | None) -> Answer:
    if ratio is None:
        return Answer(question, certainty=Certainty.NOT_MEASURED)
    value = Ratio(ratio.median, ratio.low, ratio.high, ratio.count, unit="times as fast")
    standing = standing_of(ratio.low, ratio.high)
    action = {Standing.ABOVE: "boost", Standing.BELOW: "boost-not", Standing.OPEN: "more-samples"}
    certainty = Certainty.OPEN if standing is Standing.OPEN else certainty_of(value)
    return Answer(question, value=value, certainty=certainty, action=action.get(standing, ""))
