"""When the machine was in which state, for how long, and whether it came back."""

from collections.abc import Sequence
from itertools import groupby

from weir.analyse.machine_state import State, Stretch
from weir.results.words import join_words
from weir.units import count_words, significant

MOST_TOLD = 4
"""So many stretches are told one by one."""


def state_words(state: State) -> str:
    """ "42.0 ns"."""
    return f"{significant(state.handoff_ns)} ns"


def course_words(stretches: Sequence[Stretch], main: State) -> str:
    """Of one place, in the order of time; empty without probes. That it came back is said of the last probe:
    nobody looked later."""
    clear = _joined(stretches)
    if not clear:
        return ""
    return f"{_told(stretches, clear, main)}; {_end(stretches, clear, main)}."


def _joined(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Those of known states; of one state on both sides of an unknown one they are one."""
    found = []
    for _, same in groupby((one for one in stretches if one.state), key=lambda one: one.state):
        first, *others = same
        last = others[-1] if others else first
        probes = sum(one.probes for one in (first, *others))
        found.append(Stretch(first.place, first.state, probes, first.first_at, last.last_at))
    return found


def _told(stretches: Sequence[Stretch], clear: Sequence[Stretch], main: State) -> str:
    if len(clear) == 1:
        unclear = [one for one in stretches if one.state is None]
        count, probes = sum(one.probes for one in unclear), sum(one.probes for one in stretches)
        return f"{count} of {count_words(probes, 'probe')} showed another time{_span(unclear, ' (', ')')}"
    if len(clear) <= MOST_TOLD:
        parts = [f"{state_words(one.state)} ({_length(one)})" for one in clear if one.state]
        return f"One after the other the states were {join_words(parts)}"
    others = [one for one in clear if one.state != main]
    count, probes = sum(one.probes for one in others), sum(one.probes for one in clear)
    most = max(one.probes for one in others)
    return (
        f"It changed {len(clear) - 1} times: {count} of {count_words(probes, 'probe')} showed another state "
        f"than {state_words(main)}, at most {most} in a row{_span(others, ' (', ')')}"
    )


def _length(stretch: Stretch) -> str:
    return count_words(stretch.probes, "probe") + _span([stretch], ", ", "")


def _span(stretches: Sequence[Stretch], before: str, after: str) -> str:
    """ "14:29:36 to 14:30:01 UTC", with the day where they are of several; empty where times are unknown."""
    first = stretches[0].first_at if stretches else None
    last = stretches[-1].last_at if stretches else None
    if not first or not last:
        return ""
    begin, end = (one[:19].replace("T", " ") for one in (first, last))
    if begin[:10] == end[:10]:
        begin, end = begin[11:], end[11:]
    return f"{before}{begin if begin == end else f'{begin} to {end}'} UTC{after}"


def _end(stretches: Sequence[Stretch], clear: Sequence[Stretch], main: State) -> str:
    last = stretches[-1].state
    if last == main:
        was_there = len(clear) > 1 and main in [one.state for one in clear[:-1]]
        left = was_there or len(clear) == 1
        return f"at the last probe it was {'back ' if left else ''}in the state of {state_words(main)}"
    where = f"in that of {state_words(last)}" if last else "in another"
    return f"at the last probe it was {where}, and had not come back to that of {state_words(main)}"
