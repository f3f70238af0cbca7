"""How long a cache line takes from one core to another, and in how many states the machine was seen."""

from dataclasses import asdict

from weir.analyse.machine_state import find_states
from weir.analyse.statistics import estimate_median
from weir.machine.card import Section, System, probe


@probe("hand_off")
def hand_off(system: System) -> Section | None:
    """What `weir-core machine` measured within a third of a second: all times in ns, the states that they
    show, and the median with its interval of one state; null with one core."""
    known = (system.core or {}).get("hand_off")
    if not known:
        return None
    times = [float(time) for time in known["times_ns"]]
    states = find_states(times)
    found = estimate_median(times) if len(states) == 1 else None
    return {
        **known,
        "median_ns": found.median if found else None,
        "low_ns": found.low if found else None,
        "high_ns": found.high if found else None,
        "states": [asdict(state) for state in states],
    }
