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
    "not-here": "not here: {why}",
    "no-time": "no time was left for it",
    "tell-source": "source of the data unknown",
}

REASONS: dict[str, str] = {}
"""Why what an action changes costs time, by the action's key."""

CAVEATS = {
    "failures": "cases that failed: {count} of {of}",
    "died": "launches that died and were tried again: {count}",
    "never-began": "cases that never began, for lack of time: {count} of {of}",
    "left-out": "cases that this machine cannot run: {count} of {of}",
    "damaged": "lines of samples that cannot be read: {count}",
    "few": "results without interval (fewer than 6 samples): {count} of {of}",
    "cut-samples": "cases whose samples are cut off in the file: {count} of {of}",
    "assumed-storage": "this model's storage is assumed: times of files are no forecast",
    "simulated": "results that a model gave, simulated: {count} of {of}",
    "cached": "results that come from the cache: {count} of {of}",
    "unknown-source": "reads that may come from the cache: {count} of {of}",
    "processor-caches": "results of the processor's caches: {count} of {of}",
    "states": "samples set aside (the machine changed its state): {count} of {of}",
    "mixed-states": "samples of another state of the machine: {count} of {of}",
    "sizes": "numbers that vary over 2 times with data size: {count} of {of}",
    "not-conforming": "results of a size that does not conform: {count} of {of}",
    "busy": "other programs kept the machine busy",
    "crowded": "results with more ranks than cores: {count} of {of}",
    "inexact-pattern": "the pattern is not exact, reasons: {count}",
    "inexact": "cases that carry out an inexact pattern: {count} of {of}",
    "imitated": "results of imitations: {count} of {of}",
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
