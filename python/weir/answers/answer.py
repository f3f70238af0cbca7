"""An answer: what a judge found out of one question, as data. Faces show it; no judge writes a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from weir.analyse.modes import Modes

if TYPE_CHECKING:
    from weir.analyse.metric import Metric


class Certainty(StrEnum):
    """How sure an answer is; of a model's that is not known. A screen shows ● ◐ ○ ◇, and readers of screens
    read these words."""

    SURE = "sure"
    WITHIN = "within a range"
    OPEN = "open"
    NOT_MEASURED = "no honest number"
    SIMULATED = "simulated"


@dataclass(frozen=True)
class Quantity:
    """A median with its 95 % interval, in the unit of its metric; `low` and `high` are null where it has
    none. `modes`: what its samples lie around, in which order. `n`: 0 of what a model gave."""

    metric: Metric
    median: float
    low: float | None
    high: float | None
    n: int
    modes: Modes


@dataclass(frozen=True)
class Ratio:
    """`times` as fast, or as much, as something else, with its 95 % interval; null ends where it has none.
    `of`: what else, where the question does not say it; `unit`: "%" of a share, or that of a quotient; `n`: 0
    of what a model gave."""

    times: float
    low: float | None
    high: float | None
    n: int
    of: str = ""
    unit: str = "times"


@dataclass(frozen=True)
class Threshold:
    """The value of an axis from which on nothing more is gained: `at`, and at most `up_to` where it is not
    certain. `rising`: the last value tried is still better."""

    axis: str
    at: str
    up_to: str = ""
    rising: bool = False


@dataclass(frozen=True)
class Choice:
    """The faster of two ways, and how many times as fast as the other it is. `differs`: whether that is
    sure."""

    best: str
    other: str
    ratio: Ratio
    differs: bool


@dataclass(frozen=True)
class Tally:
    """How many statements of others hold here, how many do not, and of how many that cannot be told."""

    hold: int
    do_not: int
    open: int


@dataclass(frozen=True)
class Verdicts:
    """How many rows of a comparison are worse than the reference's, better, the same, or cannot be told."""

    worse: int
    better: int
    same: int
    open: int


@dataclass(frozen=True)
class Count:
    """How many of how many things were found, such as slow links: the fewer the better."""

    count: int
    of: int


@dataclass(frozen=True)
class Cost:
    """What something may explain of a run's time at the most: so many seconds, and their share of the run,
    null where it is not known how long it ran."""

    seconds: float
    of_run: float | None = None
    simulated: bool = False


@dataclass(frozen=True)
class Several:
    """Values of one thing side by side, each with the word before it, such as ("write", …); null where one is
    not known."""

    values: tuple[tuple[str, Quantity | Ratio | Threshold | None], ...]


@dataclass(frozen=True)
class Deviation:
    """How much more than others something has, or is, as a share of theirs: -0.23 is 23 % less; with its 95 %
    interval, null ends where it has none. `bound`: it is a bound, and nothing that was measured."""

    share: float
    low: float | None
    high: float | None
    n: int
    bound: bool = False


Value = Quantity | Ratio | Threshold | Choice | Tally | Verdicts | Count | Cost | Several | Deviation


@dataclass(frozen=True)
class Evidence:
    """A number, or a name, that an answer rests on. `unit`: of UNITS in `evidence`."""

    label: str
    value: float | str
    unit: str = ""


@dataclass(frozen=True)
class Number:
    """A number that answers rest on: what it is of, a word for each column of its table, its value, and a
    remark of a few words such as "in caches"."""

    subject: tuple[str, ...]
    value: Value | None
    remark: str = ""


@dataclass(frozen=True)
class Answer:
    """What was found out of a question, whose `title` is its figure's or stands in the table of titles.
    `subject`: what of, such as ("write",); `action`: a key of the table of actions with the `words` that
    fill it; `weight`: sorts the first screen, more is earlier; `figure`: where the evidence is drawn;
    `open_cases`: those whose samples would settle it; `setting`: what a number was measured with;
    `evidence`: the numbers below it."""

    question: str
    subject: tuple[str, ...] = ()
    value: Value | None = None
    certainty: Certainty = Certainty.SURE
    action: str = ""
    words: dict[str, str] = field(default_factory=dict)
    weight: float = 0
    figure: str = ""
    open_cases: frozenset[str] = frozenset()
    setting: str = ""
    title: str = ""
    decides: bool = True
    """Whether it decides its question; a mere number does not."""
    evidence: tuple[Evidence, ...] = ()
    leads: bool = False
    """Whether it stands in the verdict line, as quantities do."""


class Changes(StrEnum):
    """What a caveat changes. One that changes a verdict stands open on a first screen."""

    VERDICT = "the verdict"
    WIDTH = "the width"


@dataclass(frozen=True)
class Caveat:
    """Why a number is worth less: a key of the table of caveats, and how many of how many it holds for;
    `words`, `action` and `evidence` as of answers."""

    code: str
    count: int
    of: int
    changes: Changes = Changes.WIDTH
    words: dict[str, str] = field(default_factory=dict)
    action: str = ""
    evidence: tuple[Evidence, ...] = ()
