"""The states that the machine was in while it was measured: what results are of, what is set aside, and how
much the states differ."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from weir.analyse.machine_state import Place, Seen, State, Tag
from weir.analyse.paired import quotient_interval
from weir.analyse.statistics import FEWEST_SAMPLES
from weir.report.state_course import course_words, state_words
from weir.results.pairing import Ratio, times_with_interval
from weir.results.row import median_of
from weir.results.summary import MachineStates, RunSummary
from weir.results.words import join_words, phase_words, setting_words
from weir.units import count_words

CARD_CODE = "states"
"""The warning of a machine card: two states were seen as it was made, before anything was measured."""


def states_words(summary: RunSummary) -> list[str]:
    """What a reader must know of them: a paragraph for each place where samples are of more than one."""
    places = dict.fromkeys(one.place for one in summary.states.seen)
    return [said for place in places if (said := _of_place(summary, place, named=len(places) > 1))]


def judged_again(warning: Mapping[str, str], summary: RunSummary) -> Mapping[str, str] | None:
    """What is left of a warning of the machine card after the run; null where states_words() says all. That
    two states were seen before the run says nothing of results if the run's own probes show one."""
    stretches = summary.states.stretches
    if warning["code"] != CARD_CODE or not stretches:
        return warning
    if states_words(summary):
        return None
    of_place = {one.place: one.state for one in stretches}
    if len(of_place) < len(stretches) or None in of_place.values():
        return warning
    probes = count_words(sum(one.probes for one in stretches), "probe")
    showed = join_words(dict.fromkeys(state_words(state) for state in of_place.values() if state))
    alone = "" if len(of_place) == 1 else ", one state between each two cores"
    return {
        **warning,
        "problem": f"before the run, {warning['problem']}",
        "why": f"during the run it did not: {probes} around its cases showed {showed}{alone}",
        "advice": "read its results as those of that state",
    }


def _of_place(summary: RunSummary, place: Place, *, named: bool) -> str:
    states = summary.states
    main, *others = (one for one in states.seen if one.place == place)
    aside = [tag for _, tag in states.aside if tag.place == place]
    mixed = [tag for tag in states.mixed if tag.place == place]
    if not aside and not mixed:
        return ""
    here = f" on {', '.join(place.hosts)}" if named and place.hosts else ""
    times = [state_words(one.state) for one in (main, *others)]
    seen = " or ".join(times) if others else f"{times[0]}, and for a moment in another time"
    sentences = [
        f"The machine changed its state{here}: a cache line passed from {_cores(place)} in {seen}.",
        course_words([one for one in states.stretches if one.place == place], main.state),
        _counting(states, main, mixed, aside),
        *(_difference(summary, one) for one in others),
    ]
    return " ".join(filter(None, sentences))


def _counting(states: MachineStates, main: Seen, mixed: list[Tag], aside: list[Tag]) -> str:
    """Which samples count: of results of storage all, where the states do not surely differ in them."""
    of_samples = f"of {count_words(states.samples, 'sample')}"
    # Where it changed during all samples, none is of a state.
    most = "that of most samples" if main.samples else "the fastest that was seen"
    main_words = f"the state of {state_words(main.state)}, {most}"
    if not aside:
        return (
            f"Of results of storage, samples of all states count, since none surely differs between them: "
            f"{len(mixed)} {of_samples} are of others than {main_words}."
        )
    parts = _shares(aside)
    if not mixed:
        return f"All results are of {main_words}; {len(aside)} {of_samples} are set aside: {parts}."
    return (
        f"Results are of {main_words}, but for those of storage that do not surely differ between states, in "
        f"which {len(mixed)} samples of others count; {len(aside)} {of_samples} are set aside: {parts}."
    )


def _shares(tags: list[Tag]) -> str:
    """ "6 of the state of 250 ns, 1 in which it changed or may have"."""
    counts = Counter(tag.state for tag in tags if tag.state)
    parts = [f"{count} of the state of {state_words(state)}" for state, count in counts.items()]
    apart = sum(tag.state is None for tag in tags)
    return ", ".join([*parts, f"{apart} in which it changed or may have"] if apart else parts)


def _cores(place: Place) -> str:
    return f"CPU {place.cpus[0]} to CPU {place.cpus[1]}" if len(place.cpus) == 2 else "core to core"


def _difference(summary: RunSummary, other: Seen) -> str:
    """How much faster or slower results are in another state, where both have an interval."""
    ratios = [ratio for state, ratio in _ratios(summary) if state == other.state]
    if not ratios:
        least = f"{FEWEST_SAMPLES} samples or more in both"
        return f"Whether results differ with {state_words(other.state)} is not known: none has {least}."
    results = f"{count_words(len(ratios), 'result')} with {FEWEST_SAMPLES} samples or more in both states"
    differing = [ratio for ratio in ratios if ratio.differs]
    if not differing:
        return f"With {state_words(other.state)}, of {results}, none surely differs."
    most = min(differing, key=lambda ratio: min(ratio.ratio, 1 / ratio.ratio))
    name = ", ".join(filter(None, [phase_words(most.one), setting_words(most.one)]))
    told = "1 surely differs" if len(differing) == 1 else f"{len(differing)} surely differ, most of all one"
    return f"With {state_words(other.state)}, of {results}, {told}: {name}, {times_with_interval(most)}."


def _ratios(summary: RunSummary) -> Iterator[tuple[State, Ratio]]:
    """How many times as fast results are in a state as they are in the main one."""
    for state, other, main in summary.states.rows:
        if main.metric != other.metric or main.metric.is_size:
            continue
        top, bottom = (other, main) if main.metric.greater_is_better else (main, other)
        if median_of(top) and median_of(bottom):
            ratio = median_of(top) / median_of(bottom)
            yield state, Ratio(other, main, ratio, *quotient_interval(top, bottom))


def states_data(summary: RunSummary) -> dict[str, Any]:
    """The same for programs."""
    return {
        "samples": summary.states.samples,
        "set_aside": len(summary.states.aside),
        "mixed": len(summary.states.mixed),
        "states": [
            {
                "hosts": list(one.place.hosts),
                "cpus": list(one.place.cpus),
                **asdict(one.state),
                "samples": one.samples,
                "main": one.main,
            }
            for one in summary.states.seen
        ],
        "stretches": [
            {
                "hosts": list(one.place.hosts),
                "cpus": list(one.place.cpus),
                "handoff_ns": one.state.handoff_ns if one.state else None,
                "probes": one.probes,
                "first_at": one.first_at,
                "last_at": one.last_at,
            }
            for one in summary.states.stretches
        ],
        "differences": [
            {
                "case": ratio.one.case,
                "phase": ratio.one.phase,
                "handoff_ns": state.handoff_ns,
                "samples": ratio.one.n,
                "median": ratio.one.median,
                "times_as_fast": ratio.ratio,
                "low": ratio.low,
                "high": ratio.high,
            }
            for state, ratio in _ratios(summary)
        ],
    }
