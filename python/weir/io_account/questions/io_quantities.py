"""A rule for claims: how many times one quantity of an application's I/O another one is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from weir.analyse.paired import quotient_interval
from weir.analyse.statistics import estimate_median
from weir.figures.operation_colours import OPERATIONS
from weir.io_account.account import IoAccount, io_account
from weir.io_account.words import size_words
from weir.questions.claim import BoundedRule, Decision, Selector, Verdict, combined, decision, rule, select
from weir.questions.ratio import find_pairs
from weir.results.row import Row
from weir.results.words import join_words, label_by
from weir.study.schema import QUANTITY
from weir.units import significant

SMALL_BYTES = 1024
MEANING = {
    "read bandwidth": "bandwidth of reads by the paper's formula",
    "write bandwidth": "bandwidth of writes by the paper's formula",
    "requests": "number of requests",
    "small requests": "number of requests below 1 KiB",
    **{name: f"time in {name}" for name in OPERATIONS},
}


@dataclass(frozen=True)
class Quotient:
    """One quantity over another, with its interval, null where there is none; `runs` is null where both are
    counts that every run shares."""

    value: float
    low: float | None
    high: float | None
    runs: int | None
    case: str

    def words(self) -> str:
        """ "0.62 times [0.58, 0.66] (n = 7)"."""
        value = f"{significant(self.value)} times"
        if self.runs is None:
            return f"{value} (counted, the same in every run)"
        if self.low is None or self.high is None:
            return f"{value} (no interval, n = {self.runs})"
        return f"{value} [{significant(self.low)}, {significant(self.high)}] (n = {self.runs})"


@rule("io")
class IoRule(BoundedRule, frozen=True, kw_only=True):
    """`one` over `other`, each a `quantity` and, where they are of different cases, the options that choose
    it: at least, at most, or within that factor of each other."""

    one: dict[str, Any]
    other: dict[str, Any]

    def __post_init__(self) -> None:
        super().__post_init__()
        for side in (self.one, self.other):
            if side.get(QUANTITY) not in MEANING:
                raise ValueError(f"a quantity is one of {', '.join(MEANING)}")

    def words(self) -> str:
        """The bound, and what is done with the interval."""
        return self.say(f"({_side_words(self.one)}) over ({_side_words(self.other)})")

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """All quotients inside the bounds: it holds; one of them outside: it does not."""
        accounts = {id(row): io for row in rows if (io := io_account(row.records)) is not None}
        pairs = _pairs([row for row in rows if id(row) in accounts], _where(self.one), _where(self.other))
        if not pairs:
            return Decision(Verdict.CANNOT_BE_TOLD, "because no such run was measured")
        names = str(self.one[QUANTITY]), str(self.other[QUANTITY])
        label = _label([one for one, _ in pairs], accounts)
        found = [
            quotient
            for one, other in pairs
            if (one is not other or names[0] != names[1])
            and (quotient := _quotient(accounts[id(one)], accounts[id(other)], names, label(one)))
        ]
        if not found:
            alone = names[0] == names[1] and all(one is other for one, other in pairs)
            why = "only one such run was measured" if alone else "no time was spent in it"
            return Decision(Verdict.CANNOT_BE_TOLD, f"because {why}")
        verdicts = [self.judge(quotient.low, quotient.high) for quotient in found]
        whole = combined(verdicts)
        deciding = [one for one, verdict in zip(found, verdicts, strict=True) if verdict is whole]
        named = len(found) > 1
        numbers = join_words(f"{one.case + ': ' if named else ''}{one.words()}" for one in deciding)
        has_interval = all(one.low is not None for one in deciding)
        cases = {row.case for side in (self.one, self.other) for row in select(rows, _where(side))}
        return decision(whole, numbers, samples="runs", has_interval=has_interval, open_cases=cases)


def _where(side: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in side.items() if key != QUANTITY}


def _side_words(side: Mapping[str, Any]) -> str:
    return ", ".join([MEANING[side[QUANTITY]], *(f"{key} {value}" for key, value in _where(side).items())])


def _pairs(rows: list[Row], one: Selector, other: Selector) -> list[tuple[Row, Row]]:
    """A row with itself, or those that are equal in everything else; all with all where none are."""
    if one == other:
        return [(row, row) for row in select(rows, one)]
    every = [(first, second) for first in select(rows, one) for second in select(rows, other)]
    return find_pairs(rows, one, other) or every


def _label(rows: list[Row], accounts: Mapping[int, IoAccount]) -> Callable[[Row], str]:
    """Names cases by their size, and where that is not enough by whatever else varies; `accounts` are by
    identity of the row."""
    sizes = {id(row): size_words(accounts[id(row)]) for row in rows}
    others = label_by(rows, {"phase", "ranks"}) if len(set(sizes.values())) < len(sizes) else lambda _: ""
    return lambda row: ", ".join(filter(None, [sizes[id(row)], others(row)]))


def _quotient(one: IoAccount, other: IoAccount, names: tuple[str, str], case: str) -> Quotient | None:
    """Of one and the same case, run by run; of two cases, with opposite ends of their intervals."""
    one_name, other_name = names
    counts = _count(one, one_name), _count(other, other_name)
    if counts[0] is not None and counts[1]:
        value = counts[0] / counts[1]
        return Quotient(value, value, value, None, case)
    tops, bottoms = _by_run(one, one_name), _by_run(other, other_name)
    if not tops or not bottoms or min(bottoms) <= 0:
        return None
    if one is other and len(tops) == len(bottoms):
        by_run = estimate_median([top / bottom for top, bottom in zip(tops, bottoms, strict=True)])
        return Quotient(by_run.median, by_run.low, by_run.high, by_run.count, case) if by_run else None
    top, bottom = estimate_median(tops), estimate_median(bottoms)
    if top is None or bottom is None:
        return None
    low, high = quotient_interval(top, bottom)
    return Quotient(top.median / bottom.median, low, high, min(top.count, bottom.count), case)


def _count(account: IoAccount, name: str) -> int | None:
    """Of what is counted: the number that all runs share."""
    if name not in ("requests", "small requests"):
        return None
    below = SMALL_BYTES if name == "small requests" else None
    sizes = [pair for transfers in account.transfers.values() for pair in transfers.sizes]
    return sum(count for size, count in sizes if below is None or size < below)


def _by_run(account: IoAccount, name: str) -> tuple[float, ...]:
    if name in account.operations:
        return tuple(total_s / account.ranks for total_s in account.operations[name].totals_s)
    direction = name.partition(" ")[0]
    return account.transfers[direction].bandwidths_of_the_paper if direction in account.transfers else ()
