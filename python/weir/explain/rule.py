"""What stands out in a summary: the rules, and what they find, as answers and caveats."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from weir.answers.answer import Answer, Caveat, Certainty, Changes, Cost, Evidence
from weir.answers.tables import ACTIONS, CAVEATS, REASONS, TITLES, declare
from weir.registry import Registry
from weir.units import format_share

from .summary import Head, TraceSummary

LEAST_OF_RUN = 0.01
"""What may explain less of the run is left out: a hundredth is within the noise of repeated runs."""

Look = Callable[[TraceSummary], Iterator[Answer | Caveat]]


@dataclass(frozen=True)
class Rule:
    """A rule, and its row of the reference page."""

    look: Look
    speaks: str
    """When it finds something, with its thresholds."""
    source: str
    """Where the thresholds are from."""


@dataclass(frozen=True)
class Remedy:
    """What usually helps, and why that which it changes costs time, as lines of the tables of words."""

    do: str
    why: str = ""


_rules = Registry[Rule]("weir.explain.rules", "rule")


def rule(
    *,
    title: str = "",
    remedies: Mapping[str, Remedy] | None = None,
    caveats: Mapping[str, str] | None = None,
    speaks: str,
    source: str,
) -> Callable[[Look], Look]:
    """Registers a function that yields answers, or caveats, out of the numbers of a summary; the question of
    its answers is its name. `title`: of that question; `remedies`, `caveats`: the lines that it uses."""

    def keep(look: Look) -> Look:
        _rules.register(look.__name__)(Rule(look, speaks, source))
        declare(TITLES, {look.__name__: title} if title else {})
        declare(ACTIONS, {key: one.do for key, one in (remedies or {}).items()})
        declare(REASONS, {key: one.why for key, one in (remedies or {}).items()})
        declare(CAVEATS, caveats or {})
        return look

    return keep


def rules() -> dict[str, Rule]:
    """All rules by name."""
    return _rules.all()


def costs(
    question: str,
    subject: tuple[str, ...],
    seconds: float,
    action: str,
    evidence: tuple[Evidence, ...],
    **words: str,
) -> Answer:
    """An answer whose subject may explain so many seconds of the run at the most."""
    return Answer(
        question, subject, Cost(seconds), Certainty.WITHIN, action, words, weight=seconds, evidence=evidence
    )


def lacking(
    code: str, count: int, of: int, action: str = "", evidence: tuple[Evidence, ...] = (), **words: str
) -> Caveat:
    """A caveat on something that the trace lacks; it may hide the cause."""
    return Caveat(code, count, of, Changes.VERDICT, words, action, evidence)


def answers_on(summary: TraceSummary) -> list[Answer]:
    """What all rules find: by the time that it may explain, the most first."""
    found = [one for one in _found(summary) if isinstance(one, Answer)]
    known = [_of_run(one, summary.head) for one in found]
    kept = [one for one in known if _matters(one)]
    return sorted(kept, key=lambda one: -one.weight)


def caveats_on(summary: TraceSummary) -> list[Caveat]:
    """What the trace lacks."""
    return [one for one in _found(summary) if isinstance(one, Caveat)]


def lacks(head: Head) -> list[Caveat]:
    """What the trace lacks, by its head alone."""
    return caveats_on(TraceSummary(head))


def _found(summary: TraceSummary) -> Iterator[Answer | Caveat]:
    for one in rules().values():
        yield from one.look(summary)


def _of_run(answer: Answer, head: Head) -> Answer:
    """Its cost as a share of the run. Sums over threads may exceed it, and nothing explains more than all."""
    if not isinstance(answer.value, Cost) or not head.end_known or head.run_s <= 0:
        return answer
    seconds = min(answer.value.seconds, head.run_s)
    return replace(answer, value=Cost(seconds, seconds / head.run_s), weight=min(answer.weight, head.run_s))


def _matters(answer: Answer) -> bool:
    share = answer.value.of_run if isinstance(answer.value, Cost) else None
    return share is None or share >= LEAST_OF_RUN


def nothing_stands_out(summary: TraceSummary) -> str:
    """Why there is no answer, as far as the summary tells: the part of a verdict."""
    return f"nothing stands out; {share}" if (share := io_share(summary)) else "nothing stands out"


def io_share(summary: TraceSummary) -> str:
    """How much of the run, or of its critical path, is I/O; empty where that is not known."""
    share, path = summary.share_of_run, summary.share_of_path
    what = "the I/O calls recorded" if summary.head.calls_lost else "I/O"
    if path is not None:
        return f"{format_share(path)} of the critical path in {what}"
    return "" if share is None else f"{format_share(share)} of the run in {what}"
