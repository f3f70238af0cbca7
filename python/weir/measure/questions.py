"""What a study asks, and how much of it the time can answer: whole comparisons or none of their cases, since
half a comparison says nothing. Pure."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from weir.study.case import Case
from weir.study.patterns import IMITATION
from weir.study.schema import ComparisonSection, names_asked


@dataclass(frozen=True)
class Question:
    """A comparison, with the earlier ones of its figure and those that its claims speak of too: the cases
    that must have the least number of samples, and how many claims can then be decided. What imitates an
    application is a question of its own, with the application."""

    comparison: str
    cases: frozenset[str]
    claims: int = 0
    own: frozenset[str] = frozenset()
    """Those of the comparison itself."""
    first: bool = False
    """Whether it comes before all others that the time would suffice for."""

    @property
    def worth(self) -> int:
        """A claim counts as much as the comparison's own figure."""
        return max(self.claims, 1)


TimeOf = Callable[[frozenset[str]], float]
"""The time that these cases still need for the least number of samples."""


def questions_of(comparisons: Sequence[ComparisonSection], cases: Iterable[Case]) -> list[Question]:
    """All that the cases can answer, in the order of the study."""
    members: dict[str, set[str]] = {}
    cases = list(cases)
    for case in cases:
        for name in case.comparisons:
            members.setdefault(name, set()).add(case.id)
    questions = []
    drawn: dict[str, set[str]] = {}
    """The cases of each figure, of the comparisons so far."""
    for part in comparisons:
        if part.name not in members:
            continue
        own = frozenset(members[part.name])
        if imitated := _imitated(case for case in cases if part.name in case.comparisons):
            questions += [Question(part.name, some, own=some) for some in imitated]
            if not part.claim:
                continue
        elif not part.claim:
            # A later comparison of a figure adds to what the earlier ones compare: alone it says nothing.
            for name in names_asked(part.figure)[:1]:
                members[part.name] = drawn[name] = members[part.name] | drawn.get(name, set())
        alone = [claim for claim in part.claim if not claim.also]
        questions.append(Question(part.name, frozenset(members[part.name]), len(alone), own))
        for also in dict.fromkeys(tuple(claim.also) for claim in part.claim if claim.also):
            needed = members[part.name].union(*(members.get(name, set()) for name in also))
            claims = sum(tuple(claim.also) == also for claim in part.claim)
            questions.append(Question(part.name, frozenset(needed), claims, own))
    return questions


def _imitated(cases: Iterable[Case]) -> list[frozenset[str]]:
    """Each application with what imitates it: cases that differ in nothing else; none where nothing is
    imitated."""
    cases = list(cases)
    if not any(IMITATION in case.options for case in cases):
        return []
    groups: dict[str, list[Case]] = {}
    for case in cases:
        options = {key: value for key, value in case.options.items() if key != IMITATION}
        same = case.id_with(options=options)
        groups.setdefault(same, []).append(case)
    found = [some for some in groups.values() if any(IMITATION in case.options for case in some)]
    return [frozenset(case.id for case in some) for some in found]


def answerable(questions: Sequence[Question], time_of: TimeOf, time_s: float) -> list[Question]:
    """Those whose times add up to at most `time_s`: again and again the one that is worth most for the time
    that it adds, the first of equals."""
    chosen = [question for question in questions if question.first and time_of(question.cases) <= time_s]
    cases: frozenset[str] = frozenset().union(*(question.cases for question in chosen))
    left = [question for question in questions if question not in chosen]
    while True:
        spent_s = time_of(cases)
        fitting = [q for q in left if time_of(cases | q.cases) <= time_s]
        if not fitting:
            return chosen
        best = max(fitting, key=lambda q: q.worth / max(time_of(cases | q.cases) - spent_s, 1e-9))
        chosen.append(best)
        left.remove(best)
        cases |= best.cases


def thinned(cases: Sequence[str], time_of: TimeOf, time_s: float) -> frozenset[str]:
    """As many of the cases as fit, evenly spread; for want of anything that can be answered whole."""

    def spread(count: int) -> frozenset[str]:
        step = (len(cases) - 1) / max(count - 1, 1)
        return frozenset(cases[round(at * step)] for at in range(count))

    counts = range(1, len(cases) + 1)
    return spread(bisect_left(counts, True, key=lambda count: time_of(spread(count)) > time_s))


@dataclass(frozen=True)
class Outlook:
    """What the time is expected to answer, before anything is measured."""

    time_s: float
    needed_s: float
    """For the least samples of all cases."""
    cases: frozenset[str]
    """That get them."""
    all_cases: int
    claims: int
    all_claims: int
    left_out: dict[str, int]
    """Cases that do not get them, by comparison."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return len(self.cases) == self.all_cases


def outlook(
    questions: Sequence[Question], cases: Mapping[str, bool], time_of: TimeOf, time_s: float
) -> Outlook:
    """The cases to measure: those of all questions that fit, else some of the one that needs least; of these,
    those that have begun, as `cases` says of each, come before others."""
    chosen = answerable(questions, time_of, time_s)
    kept = frozenset().union(*(question.cases for question in chosen))
    if not kept and questions:
        least = min(questions, key=lambda question: time_of(question.cases))
        begun = [case for case in cases if case in least.cases and cases[case]]
        kept = thinned(begun or [case for case in cases if case in least.cases], time_of, time_s)
    missing: dict[str, frozenset[str]] = {}
    for question in questions:
        if lacking := question.own - kept:
            missing[question.comparison] = missing.get(question.comparison, frozenset()) | lacking
    return Outlook(
        time_s=time_s,
        needed_s=time_of(frozenset(cases)),
        cases=kept,
        all_cases=len(cases),
        claims=sum(question.claims for question in chosen),
        all_claims=sum(question.claims for question in questions),
        left_out={name: len(lacking) for name, lacking in missing.items()},
    )
