"""An application's own account of its I/O in words."""

from collections.abc import Sequence

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.io_account.account import IoAccount
from weir.results.printed import Printed
from weir.units import count_words

TIMES = " x "


def run_words(account: IoAccount) -> str:
    """ "128 x 128 x 64 cells, 8 ranks (2 x 2 x 2), 20 steps, 4 dumps, two-phase"; what is not known is left
    out."""
    along = account.shape.get("ranks_along")
    parts = [
        size_words(account) + (f" ({_by(along)})" if isinstance(along, list) else ""),
        *(count_words(number, noun) for noun, number in _counts(account)),
        str(account.shape.get("method", "")),
    ]
    return ", ".join(filter(None, parts))


def size_words(account: IoAccount) -> str:
    """ "128 x 128 x 64 cells, 8 ranks"."""
    cells = account.shape.get("cells")
    ranks = count_words(account.ranks, "rank")
    return f"{_by(cells)} cells, {ranks}" if isinstance(cells, list) else ranks


def _by(numbers: Sequence[int]) -> str:
    return TIMES.join(map(str, numbers))


def _counts(account: IoAccount) -> list[tuple[str, int]]:
    known = [(noun, account.shape.get(f"{noun}s")) for noun in ("step", "dump")]
    return [(noun, number) for noun, number in known if isinstance(number, int)]


def source_words(account: IoAccount, printed: Sequence[Printed]) -> str:
    """What the numbers of each machine are."""
    if account.runs >= FEWEST_SAMPLES:
        here = f"medians of n = {count_words(account.runs, 'run')} with 95 % intervals"
    elif account.runs > 1:
        here = f"medians of n = {count_words(account.runs, 'run')}; no interval below {FEWEST_SAMPLES}"
    else:
        here = "a single run (n = 1), so no interval"
    return ". ".join([f"Here: {here}", *(f"{table.machine}: {table.source}" for table in printed)]) + "."


def here_words(account: IoAccount) -> str:
    """The heading of what was measured here."""
    return "here [95 % interval]" if account.runs >= FEWEST_SAMPLES else "here"
