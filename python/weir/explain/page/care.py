"""What a reader of the timeline must know of it."""

from weir.counts import count_words
from weir.trace.model import Trace
from weir.units import format_seconds, format_share

from .fit import Fitted
from .keep import PART


def care_of(trace: Trace, fitted: Fitted) -> list[str]:
    """Sentences; none where the page holds every call as it was recorded."""
    return [sentence for sentence in (_thinned(trace, fitted), _coarse(fitted)) if sentence]


def _thinned(trace: Trace, fitted: Fitted) -> str:
    if fitted.kept == trace.records:
        return ""
    least, share = format_seconds(fitted.choice.least_ns / 1e9), format_share(fitted.choice.share)
    return (
        f"Of {count_words(trace.records, 'call')} the page holds {fitted.kept:,} one by one: those that took "
        f"at least {least}, and {share} of the others, in parts of {PART:,} in a row. The pale colours are "
        "drawn from all calls. `weir export` gives every call."
    )


def _coarse(fitted: Fitted) -> str:
    return "" if fitted.step_ns == 1 else f"Times are told in steps of {fitted.step_ns} ns."
