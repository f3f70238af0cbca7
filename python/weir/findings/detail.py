"""What lies behind a result, in words."""

from __future__ import annotations

from weir.analyse.detail import Straggler
from weir.counts import count_words
from weir.store.records import HintAsked
from weir.units import significant

STATES = {
    "in force": "is in force",
    "changed": "was changed",
    "ignored": "was ignored",
    "unproven": "is repeated by the library, which repeats even an invented hint: that proves nothing",
}


def straggler_words(straggler: Straggler) -> str:
    """ "rank 3 was the slowest in 11 of 12 samples, by 1.40 times the mean of all ranks"."""
    return (
        f"rank {straggler.rank} was the slowest in {straggler.times} of "
        f"{count_words(straggler.samples, 'sample')}, with {significant(straggler.lateness)} times "
        "the mean time of all ranks"
    )


def hint_words(hint: HintAsked) -> str:
    """ "hint cb_nodes=2 was changed, to 1"."""
    asked = f"hint {hint.hint}={hint.value}"
    state = STATES.get(hint.state or "", f"is in the state '{hint.state}'")
    now = f", to {hint.in_force}" if hint.state == "changed" and hint.in_force is not None else ""
    return f"{asked} {state}{now}"
