"""What is said of lines of a run that cannot be read."""

from collections.abc import Sequence

MOST_NAMED = 10


def damaged_words(lines: Sequence[int]) -> str:
    """ "line 89 of samples.jsonl is left out, since it cannot be read"; of many, the first ones are named."""
    if len(lines) == 1:
        return f"line {lines[0]} of samples.jsonl is left out, since it cannot be read"
    named = ", ".join(map(str, lines[:MOST_NAMED]))
    more = f" and {len(lines) - MOST_NAMED:,} more" if len(lines) > MOST_NAMED else ""
    return f"lines {named}{more} of samples.jsonl are left out, since they cannot be read"
