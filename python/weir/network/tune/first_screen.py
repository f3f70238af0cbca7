"""What a person sees first of a trial: which algorithm to choose instead, and by how much it wins."""

from collections.abc import Sequence

from weir.answers.answer import Answer, Caveat, Certainty, Changes, Choice, Ratio
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import ACTIONS, CAVEATS, TITLES, declare
from weir.network.tune.advice import Advice, Trial
from weir.units import count_words, format_bytes

WINS, OPEN = 2.0, 1.0
OWN = "the library's choice"

declare(TITLES, {"tuned": "{subject}"})
declare(
    ACTIONS,
    {
        "set-algorithm": "{name}: set {env}",
        "none-faster": "none of {count} is surely faster",
        "larger-budget": "too few rounds: needs a larger --budget",
        "none-offered": "this MPI offers no other algorithm",
    },
)
declare(CAVEATS, {"slower-elsewhere": "other sizes that are slower with {name}: {count} of {of}"})


def first_screen(run: str, advice: Sequence[Advice], *, failed: int = 0, cases: int = 0) -> Screen:
    """That of the advice on a run; pure. `failed`: of so many cases of the trial."""
    rows, others = chosen_rows([_answer(one) for one in advice])
    violating = count_words(len(advice), "collective")
    caveats = [caveat for one in advice if (caveat := _slower(one))]
    if failed:
        caveats.append(Caveat("failures", failed, max(cases, failed), Changes.VERDICT))
    place = (f"guidelines of {run}", f"{violating} violating one")
    return Screen(place, rows, others, tuple(caveats), (), "there is nothing to try")


def _answer(one: Advice) -> Answer:
    subject = (one.subject.function, count_words(one.subject.ranks, "rank"))
    if not one.subject.algorithms:
        return Answer("tuned", subject, None, Certainty.OPEN, "none-offered")
    if not one.trials:
        return Answer("tuned", subject, None, Certainty.OPEN, "larger-budget")
    if one.winner is None:
        count = len({trial.algorithm for trial in one.trials})
        near = one.nearest
        value = _choice(near, differs=False) if near else None
        words = {"count": count_words(count, "other")}
        at = _sized(subject, near)
        return Answer("tuned", at, value, Certainty.OPEN, "none-faster", words, weight=OPEN)
    best = max((t for t in one.of(one.winner, violating=True) if t.wins), key=lambda t: t.estimate.ratio)
    words = {"name": one.winner.name, "env": " ".join(f"{key}={value}" for key, value in one.winner.env)}
    value, at = _choice(best, differs=True), _sized(subject, best)
    return Answer("tuned", at, value, Certainty.SURE, "set-algorithm", words, weight=WINS)


def _sized(subject: tuple[str, ...], trial: Trial | None) -> tuple[str, ...]:
    return (*subject, format_bytes(trial.size)) if trial else subject


def _choice(trial: Trial, *, differs: bool) -> Choice:
    found = trial.estimate
    return Choice(trial.algorithm.name, OWN, Ratio(found.ratio, found.low, found.high, found.rounds), differs)


def _slower(one: Advice) -> Caveat | None:
    """At other sizes, by what was won."""
    if one.winner is None:
        return None
    elsewhere = one.of(one.winner, violating=False)
    count = sum(trial.loses for trial in elsewhere)
    words = {"name": one.winner.name}
    return Caveat("slower-elsewhere", count, len(elsewhere), Changes.VERDICT, words) if count else None
