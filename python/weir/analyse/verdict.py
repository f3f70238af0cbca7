"""The verdict on a case as people are told it."""

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.counts import count_words

NO_INTERVAL = "no interval"
"""In place of "inconclusive", where so few samples were taken that nothing could have been concluded."""


def verdict_words(verdict: str | None, samples: int) -> str | None:
    """The verdict, or that there is no interval to base one on."""
    return NO_INTERVAL if verdict == "inconclusive" and samples < FEWEST_SAMPLES else verdict


def lacks_interval(phase: str, samples: int) -> str:
    """ "1 sample of write has no interval, which takes 6"."""
    taken = count_words(samples, f"sample of {phase} has", f"samples of {phase} have")
    return f"{taken} no interval, which takes {FEWEST_SAMPLES}"
