"""What a person sees first of a history: which rows have changed, since when, and by how much."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weir.answers.answer import Answer, Caveat, Certainty, Changes, Ratio, Verdicts
from weir.answers.quantities import quantity_from
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import ACTIONS, CAVEATS, TITLES, declare
from weir.compare.first_screen import VERDICTS, certainty_of_sums
from weir.compare.history import Course
from weir.compare.standings import Verdict, verdict_of_all
from weir.machine.describe import Fact
from weir.units import count_words

declare(TITLES, {"course": "{subject}", "other-courses": "All other rows"})
declare(
    ACTIONS,
    {
        "worse-since": "worse since {date}",
        "better-since": "better since {date}",
        "other-since": "another level since {date}",
        "perhaps-since": "perhaps, since {date}: more runs will tell",
        "steady": "steady",
        "more-runs": "a steady series takes {fewest} runs",
    },
)
declare(
    CAVEATS,
    {
        "lost-runs": "runs that cannot be read: {count}",
        "other-hosts": "runs of other machines left out: {count}",
        "gone-rows": "rows that the last run lacks: {count}",
        "few-runs": "too few runs for a change to be sure: {count}",
    },
)
CHANGED, PERHAPS, STEADY, OTHERS = 10.0, 5.0, 1.0, 0.5
"""Weights."""
MOST_TOLD = 3
"""Changes in a verdict."""


@dataclass(frozen=True)
class History:
    """The courses of the rows that speak for a study, and of all others; how many runs were left out as
    unreadable, and as of other machines."""

    study: str
    host: str
    made: tuple[str, ...]
    headline: tuple[Course, ...]
    others: tuple[Course, ...]
    lost: int = 0
    elsewhere: int = 0

    @property
    def verdict(self) -> Verdict:
        """Of the last levels of all rows."""
        return verdict_of_all([one.verdict for one in (*self.headline, *self.others)])

    @property
    def is_open(self) -> bool:
        """Whether any row may be worse than is known: too few runs, or the last ones perhaps differ."""
        rows = (*self.headline, *self.others)
        return not rows or any(one.perhaps or one.verdict is Verdict.OPEN for one in rows)


def history_screen(history: History) -> Screen:
    """That of a history; pure."""
    answers = [answer for one in history.headline for answer in _answers(one)]
    answers += _others(history.others)
    rows, left = chosen_rows(answers)
    return Screen(
        place=tuple(_place(history)),
        rows=rows,
        others=left,
        caveats=tuple(one for one in _caveats(history) if one.count),
        machine=tuple(_facts(history)),
        nothing="no run has a number",
    )


def day_of(made: str) -> str:
    """ "2026-11-24"."""
    return made[:10]


def _place(history: History) -> Iterator[str]:
    host = history.host or "unknown host"
    yield f"{history.study} on {host}{', simulated' if _simulated(history) else ''}"
    yield count_words(len(history.made), "run")
    changed = [one for one in history.headline if one.reference]
    doubtful = [one for one in history.headline if one.perhaps]
    told = [f"{one.series.label.lower()} {VERDICTS[one.verdict]}" for one in changed]
    told += [f"{one.series.label.lower()} perhaps {_direction(one)}" for one in doubtful]
    yield from told[:MOST_TOLD]
    others = {one.verdict for one in history.others if one.reference}
    if not told and others:
        worse = Verdict.WORSE in others
        yield "some rows worse" if worse else "some rows changed"
    elif not told:
        told_of = [one.verdict for one in history.headline]
        yield "steady" if told_of and all(one is Verdict.SAME for one in told_of) else "undecided"


def _simulated(history: History) -> int:
    """How many of its rows a model gave."""
    return sum(one.series.row.simulated for one in (*history.headline, *history.others))


def _direction(course: Course) -> str:
    return "better" if course.perhaps and course.perhaps.times > 1 else "worse"


def _answers(course: Course) -> Iterator[Answer]:
    """How the level of now is to the one before, and that it may be another."""
    if course.reference or not course.perhaps:
        yield _answer(course)
    if course.perhaps:
        value = Ratio(course.perhaps.times, None, None, course.levels[-1].end - course.perhaps.at)
        words = {"date": day_of(course.series.made[course.perhaps.at])}
        what = Answer("course", (course.series.label,), value, Certainty.OPEN, "perhaps-since", words)
        yield replace(what, figure="courses", weight=PERHAPS)


def _answer(course: Course) -> Answer:
    """The level of now where it is the only one; else how it is to the one before."""
    level, found = course.levels[-1], course.apart
    quantity = quantity_from(course.series.row.metric, course.series.values[level.begin : level.end])
    if course.series.row.simulated:
        quantity = replace(quantity, n=0)
    what = Answer("course", (course.series.label,), quantity, figure="courses", weight=STEADY)
    if found is None and course.verdict is Verdict.SAME:
        return replace(what, action="steady")
    if found is None and not course.fewest:
        return replace(what, certainty=Certainty.OPEN)
    if found is None:
        words = {"fewest": str(course.fewest)}
        return replace(what, certainty=Certainty.OPEN, action="more-runs", words=words)
    action = {Verdict.WORSE: "worse-since", Verdict.BETTER: "better-since"}.get(course.verdict, "other-since")
    return replace(
        what,
        value=Ratio(found.ratio, found.low, found.high, level.end - level.begin),
        certainty=Certainty.OPEN if found.low is None else Certainty.SURE,
        action=action,
        words={"date": day_of(course.since)},
        weight=CHANGED,
    )


def _others(courses: Sequence[Course]) -> Iterator[Answer]:
    steady = {Verdict.SAME, Verdict.OPEN}
    counts = Counter(
        Verdict.OPEN if one.perhaps and one.verdict in steady else one.verdict for one in courses
    )
    if courses:
        shown = (Verdict.WORSE, Verdict.BETTER, Verdict.SAME, Verdict.OPEN)
        sums = Verdicts(*(counts[verdict] for verdict in shown))
        yield Answer("other-courses", (), sums, certainty_of_sums(sums), weight=OTHERS, figure="rows")


def _caveats(history: History) -> Iterator[Caveat]:
    yield Caveat("lost-runs", history.lost, len(history.made) + history.lost, Changes.VERDICT)
    yield Caveat("other-hosts", history.elsewhere, len(history.made) + history.elsewhere)
    rows = [*history.headline, *history.others]
    yield Caveat("simulated", _simulated(history), len(rows), Changes.VERDICT)
    gone = sum(one.series.made[-1] != history.made[-1] for one in rows)
    yield Caveat("gone-rows", gone, len(rows), Changes.VERDICT)
    few = any(len(one.series.values) < one.fewest for one in history.headline)
    yield Caveat("few-runs", few * len(history.made), len(history.made), Changes.VERDICT)


def _facts(history: History) -> Iterator[Fact]:
    if history.made:
        yield Fact("first run", f"{history.made[0][:16].replace('T', ' ')} UTC")
        yield Fact("last run", f"{history.made[-1][:16].replace('T', ' ')} UTC")
