"""The words of first screens: titles of questions, actions, reasons, caveats. A line has twelve words at
most, and is filled by values, never by other lines. What registers its questions declares their lines."""

from collections.abc import Mapping

TITLES = {"quantity": "{subject}"}
"""Of what no figure answers; of a quantity the subject says all."""

ACTIONS = {
    "from": "use {at} or more",
    "keep": "more add little",
    "falls": "falls to {share} at {at}",
    "larger-files": "not seen: try files above {limit}",
    "no-end": "none up to {largest}",
    "try-more": "try more than {at}",
    "choose": "prefer {best}",
    "depends": "{best}, but not everywhere",
    "either": "either will do",
    "apart": "at most {times} times apart",
    "look": "see the figure",
    "more-requests": "needs more requests",
    "more-samples": "needs more samples",
    "more-times": "needs about {times} times the samples",
    "too-noisy": "varies too much to decide",
    "more-points": "needs more values",
    "more-nodes": "needs more nodes to compare",
    "sync": 'unsynced: sync = "close"',
    "avoid-cache": 'all cached: cache = "drop"',
    "cached-anyway": "all from the cache, though it was avoided",
    "tell-source": "source of the data unknown",
}

REASONS: dict[str, str] = {}
"""Why what an action changes costs time, by the action's key."""

CAVEATS = {
    "failures": "{count} of {of} cases failed",
    "died": "{count} launches died and were tried again",
    "never-began": "{count} of {of} cases never began: too little time",
    "left-out": "{count} of {of} cases left out: this machine cannot run them",
    "damaged": "{count} lines of samples cannot be read",
    "few": "{count} of {of} results have no interval: fewer than 6 samples",
    "cached": "{count} of {of} results come from the cache",
    "unknown-source": "{count} of {of} reads may come from the cache",
    "processor-caches": "{count} of {of} results are of the processor's caches",
    "states": "{count} of {of} samples set aside: the machine changed its state",
    "mixed-states": "{count} of {of} samples are of another state of the machine",
    "sizes": "{count} of {of} numbers vary over 2 times with data size",
    "not-conforming": "{count} of {of} results: the problem's size does not conform",
    "busy": "other programs kept the machine busy",
    "crowded": "{count} of {of} results had more ranks than cores",
    "inexact-pattern": "the pattern is not exact, reasons: {count}",
    "inexact": "{count} of {of} cases carry out an inexact pattern",
    "imitated": "{count} of {of} results are of imitations",
    "memory": "the directory lies in memory: no device was measured",
}


def declare(table: dict[str, str], lines: Mapping[str, str]) -> None:
    """Add lines to a table. Raises ValueError where one of the keys has another line already."""
    for key, line in lines.items():
        if table.setdefault(key, line) != line:
            raise ValueError(f"'{key}' has the line '{table[key]}' already")


def title(question: str, subject: str, words: str = "") -> str:
    """The title of a question about something: "Request size, write". `words`: its own, in place of those of
    the table."""
    known = words or TITLES.get(question) or question.replace("-", " ").capitalize()
    filled = known.format(subject=subject) if "{subject}" in known else f"{known}, {subject}"
    return filled.removesuffix(", ")
