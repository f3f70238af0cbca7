"""What a person sees first of a comparison: how many rows are worse or better, the largest differences, and
what limits the verdict."""

import math
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from weir.answers.answer import Answer, Caveat, Certainty, Changes, Ratio, Verdicts
from weir.answers.quantities import TIGHT, quantity_of
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import ACTIONS, CAVEATS, TITLES, declare
from weir.compare.comparison import Compared, Comparison
from weir.compare.machines import differences
from weir.compare.naming import groups, name_rows
from weir.compare.printed_rows import printed_words
from weir.compare.sides import Side
from weir.compare.standings import Standing, Verdict, verdict_of_all
from weir.machine.describe import Fact
from weir.report.model import values_that_differ
from weir.results.pairing import number_words
from weir.results.row import Row
from weir.results.words import capital
from weir.units import count_words, significant

declare(TITLES, {"rows-compared": "{subject}", "row-compared": "{subject}"})
declare(
    ACTIONS,
    {
        "worse": "worse",
        "better": "better",
        "middle-ratio": "{times} times in the middle",
        "beside-printed": "printed: {number}, {place}",
    },
)
declare(
    CAVEATS,
    {
        "one-run-each": "one run each: half the rows tell nothing below {least} %",
        "other-parameters": "rows not judged (other parameters): {count} of {of}",
        "cached-rows": "rows of the page cache, not of the device: {count} of {of}",
        "lost-of": "runs of {who} that cannot be read: {count} of {of}",
        "busy-runs": "runs of {who} on a busy machine: {count} of {of}",
        "row-alone": "rows that only {who} has: {count}",
        "printed": "printed numbers of {who}, one sample each: {count}",
        "not-over": "cases of {who} without an end: {count} of {of}",
        "no-verdict": "rows with too few samples for a verdict: {count} of {of}",
        "other-version": "measured by Weir {one} and by Weir {other}",
        "other-machine": "the machine differs: {fact}{more}",
        "other-model": "the model differs: {fact}{more}",
    },
)
SUMS, DIFFERENCES, WORSE = 10.0, 2.0, 1.0
"""Weights: groups of rows, the rows that differ, and those that are worse."""
MOST_FACTS, MOST_SIDES = 6, 4


def first_screen(comparison: Comparison) -> Screen:
    """That of a comparison; pure."""
    many = len(comparison.compared) > 1
    named = [(one, f"{one.names[1]}: " if many else "") for one in comparison.compared]
    answers = [answer for one, several in named for answer in _answers(one, several)]
    rows, others = chosen_rows(answers)
    return Screen(
        place=tuple(_place(comparison)),
        rows=rows,
        others=others,
        caveats=tuple(one for part in comparison.compared for one in _caveats(part, comparison) if one.count),
        machine=tuple(_facts(comparison)),
        nothing="they have no row in common",
    )


def _place(comparison: Comparison) -> Iterator[str]:
    """ "today against last-month", "writes worse", "reads the same"; of several sides a verdict each."""
    first, *others = comparison.compared
    yield f"{', '.join(one.names[1] for one in comparison.compared)} against {first.names[0]}"
    if others:
        judged = [one for one in comparison.compared if not _is_beside_printed(one)]
        yield from (f"{one.names[1]} {_in_short(one)}" for one in judged)
        if len(judged) < len(comparison.compared):
            yield BESIDE
        return
    if _is_beside_printed(first):
        yield BESIDE
        return
    for group, members in groups(first).items():
        found = verdict_of_all([standing.verdict for standing in members])
        yield f"{group.lower()} {VERDICTS[found]}"


BESIDE = "beside printed numbers"


def _is_beside_printed(one: Compared) -> bool:
    """Whether nothing is judged, since one side of every pair is printed."""
    return bool(one.standings) and all(standing.pair.printed for standing in one.standings)


def _in_short(one: Compared) -> str:
    return VERDICTS[one.verdict] if one.standings else "has no row in common"


VERDICTS = {
    Verdict.WORSE: "worse",
    Verdict.BETTER: "better",
    Verdict.SAME: "the same",
    Verdict.OPEN: "undecided",
    Verdict.OTHER: "not judged",
}


def _answers(one: Compared, several: str) -> Iterator[Answer]:
    """Of groups of rows, and of the rows that differ most. `several`: the side's name and a colon, where
    there are others."""
    for group, members in groups(one).items():
        if not all(standing.pair.printed for standing in members):
            yield _group_answer(f"{several}{group}", members)
    name = name_rows(one)
    for standing in one.standings:
        if (standing.apart or standing.pair.is_bound) and standing.pair.printed:
            yield _printed_answer(f"{several}{capital(name(standing))}", standing, standing.pair.printed)
        elif standing.apart and standing.verdict in (Verdict.WORSE, Verdict.BETTER):
            yield _row_answer(f"{several}{capital(name(standing))}", standing)


def _group_answer(title: str, members: list[Standing]) -> Answer:
    counts = Counter(standing.verdict for standing in members)
    shown = (Verdict.WORSE, Verdict.BETTER, Verdict.SAME, Verdict.OPEN)
    sums = Verdicts(*(counts[verdict] for verdict in shown))
    ratios = [one.apart.ratio for one in members if one.apart and one.verdict is not Verdict.OTHER]
    middle = number_words(statistics.median(ratios)) if ratios else ""
    certainty = certainty_of_sums(sums)
    if certainty is Certainty.SURE and any(one.pair.simulated for one in members):
        certainty = Certainty.SIMULATED
    return Answer(
        "rows-compared",
        (title,),
        sums,
        certainty,
        "middle-ratio" if ratios else "",
        {"times": middle},
        weight=SUMS,
        figure="rows",
    )


def certainty_of_sums(sums: Verdicts) -> Certainty:
    """Of how many rows have each verdict."""
    if not sums.open:
        return Certainty.SURE
    return Certainty.WITHIN if sums.worse + sums.better + sums.same else Certainty.OPEN


def _row_answer(title: str, standing: Standing) -> Answer:
    found = standing.apart
    assert found
    distance = abs(math.log(found.ratio))
    weight = DIFFERENCES + distance / (1 + distance)
    return Answer(
        "row-compared",
        (title,),
        ratio_of(standing),
        _certainty(standing),
        str(standing.verdict),
        weight=weight + (WORSE if standing.verdict is Verdict.WORSE else 0),
        figure="rows",
    )


def _printed_answer(title: str, standing: Standing, printed: Row) -> Answer:
    """One number has no spread, and nothing is judged by it."""
    words = {"number": printed_words(printed), "place": printed.place}
    measured = standing.pair.other if standing.row.place else standing.row
    value = quantity_of(measured) if standing.pair.is_bound else ratio_of(standing)
    found = Answer("row-compared", (title,), value, Certainty.OPEN, "beside-printed", words, figure="rows")
    return replace(found, weight=DIFFERENCES, decides=False)


def ratio_of(standing: Standing) -> Ratio | None:
    """The ratio as a value of answers."""
    found, metric = standing.apart, standing.row.metric
    if found is None:
        return None
    unit = "times" if metric.greater_is_better or metric.is_size else "times as fast"
    if standing.pair.simulated:
        return Ratio(found.ratio, None, None, 0, unit=unit)
    return Ratio(found.ratio, found.low, found.high, standing.n, unit=unit)


def _certainty(standing: Standing) -> Certainty:
    if standing.verdict is Verdict.OTHER:
        return Certainty.NOT_MEASURED
    if standing.verdict is Verdict.OPEN:
        return Certainty.OPEN
    found = standing.apart
    wide = found and found.low and found.high and found.high / found.low > (1 + TIGHT) ** 2
    if standing.pair.simulated:
        return Certainty.SIMULATED
    return Certainty.WITHIN if wide or standing.modes else Certainty.SURE


def _caveats(one: Compared, comparison: Comparison) -> Iterator[Caveat]:
    counts, rows = one.counts, len(one.standings)
    judged = rows - counts[Verdict.OTHER]
    judged -= sum(standing.pair.printed is not None for standing in one.standings)
    least = _least_told(one)
    simulated = sum(standing.pair.simulated for standing in one.standings)
    yield Caveat("simulated", simulated, rows, Changes.VERDICT)
    if one.single_runs and judged > simulated and least and one is comparison.compared[0]:
        yield Caveat("one-run-each", 1, 1, Changes.VERDICT, {"least": significant(100 * (1 - 1 / least), 2)})
    yield Caveat("other-parameters", counts[Verdict.OTHER], rows, Changes.VERDICT)
    few = sum(
        standing.apart is not None and standing.apart.low is None
        for standing in one.standings
        if not standing.pair.printed
    )
    yield Caveat("no-verdict", few, rows, Changes.VERDICT)
    cached = sum(any(row.suspect for row in (each.pair.one, each.pair.other)) for each in one.standings)
    yield Caveat("cached-rows", cached, rows, Changes.VERDICT)
    if one is comparison.compared[0]:
        yield from _of_side(one.names[0], one.reference)
    yield from _of_side(one.names[1], one.side)
    for name, only, side in (
        (one.names[0], one.matched.only_other, one.reference),
        (one.names[1], one.matched.only_one, one.side),
    ):
        yield Caveat("row-alone", len(only), rows, Changes.WIDTH, {"who": name})
        left = max(side.last.cases - side.last.ended, 0)
        yield Caveat("not-over", left, side.last.cases, Changes.VERDICT, {"who": name})
    versions = [side.last.weir_version for side in (one.reference, one.side)]
    if versions[0] != versions[1] and all(versions):
        yield Caveat("other-version", 1, 1, Changes.VERDICT, {"one": versions[0], "other": versions[1]})
    if facts := facts_that_differ(one):
        yield _other_machine("other-machine", facts)
    if values := model_values_that_differ(one):
        yield _other_machine("other-model", values)


def _of_side(name: str, side: Side) -> Iterator[Caveat]:
    """What makes a side's numbers worth less, whatever it is compared with."""
    busy, stated = sum(run.busy for run in side.runs), sum(bool(row.place) for row in side.last.rows)
    yield Caveat("busy-runs", busy, len(side.runs), Changes.VERDICT, {"who": name})
    yield Caveat("lost-of", side.lost, len(side.runs) + side.lost, Changes.VERDICT, {"who": name})
    yield Caveat("printed", stated, stated, Changes.VERDICT, {"who": name})


def _least_told(one: Compared) -> float | None:
    """The factor from which on half of the rows would be told apart; null where none has an interval."""
    known = [standing.apart for standing in one.standings if standing.apart]
    reaches = [
        max(found.high / found.ratio, found.ratio / found.low) for found in known if found.high and found.low
    ]
    return statistics.median(reaches) if reaches else None


def _other_machine(code: str, facts: list[tuple[str, str, str]]) -> Caveat:
    """The first of the facts that differ, and how many others do."""
    label, *values = facts[0]
    fact = f"{label}: {' → '.join(value or 'unknown' for value in values)}"
    others = len(facts) - 1
    more = f", and {count_words(others, NOUN[code])} more" if others else ""
    return Caveat(code, len(facts), len(facts), Changes.VERDICT, {"fact": fact, "more": more})


NOUN = {"other-machine": "fact", "other-model": "value"}


def model_values_that_differ(one: Compared) -> list[tuple[str, str, str]]:
    """Key, and both models' values."""
    return values_that_differ(one.reference.last.model, one.side.last.model)


def facts_that_differ(one: Compared) -> list[tuple[str, str, str]]:
    """Label, and both machines' facts."""
    storage = one.side.last.on_storage or one.reference.last.on_storage
    found = differences(one.reference.last.machine, one.side.last.machine, storage=storage)
    return [(fact.label, fact.one, fact.other) for fact in found]


def _facts(comparison: Comparison) -> Iterator[Fact]:
    """When and where each side was measured, and what differs between the reference and the first side."""
    first = comparison.compared[0]
    named = [(first.names[0], first.reference), *((one.names[1], one.side) for one in comparison.compared)]
    for name, side in named[:MOST_SIDES]:
        runs = f"{len(side.runs)} runs until " if len(side.runs) > 1 else ""
        made = f"{side.last.made[:16].replace('T', ' ')} UTC"
        if side.last.source:
            made = f"printed in {side.last.made[:4]}"
        yield Fact(name, ", ".join(filter(None, [f"{runs}{made}", side.last.host])))
    differing = [*facts_that_differ(first), *model_values_that_differ(first)]
    for label, one, other in differing[: MOST_FACTS - len(named)]:
        yield Fact(label, f"{one or 'unknown'} → {other or 'unknown'}")
