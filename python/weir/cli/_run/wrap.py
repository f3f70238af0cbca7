"""Text in lines for a terminal, with numbers beside their units."""

from __future__ import annotations

import re
import textwrap

WIDTH = 100
TOGETHER = re.compile(r"\((?:no interval, )?n = [^)]*\)|\[[\d.,… ]+\]|(?<=\d) %")
NO_BREAK = "\N{NO-BREAK SPACE}"


def wrapped(text: str, first: str, later: str) -> list[str]:
    """Lines of WIDTH at most, the first indented by `first`; intervals, counts and shares stay whole."""
    whole = TOGETHER.sub(lambda found: found.group().replace(" ", NO_BREAK), text)
    lines = textwrap.wrap(whole, WIDTH, initial_indent=first, subsequent_indent=later)
    return [line.replace(NO_BREAK, " ") for line in lines]
