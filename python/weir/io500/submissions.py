"""The submissions to IO500 below a folder: each run's results once, and why others are left out.

Their repository has a folder `submission-NUMBER` for each, somewhere in it a `result_summary.txt`, and beside
that what IOR printed. A summary that lies elsewhere may be a copy, or of another list.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weir.bounded_parsing import MIB
from weir.errors import WeirError
from weir.files.named import read_named, why_no_folder
from weir.io500.clients import Clients, clients_of
from weir.io500.summary import Summary, read_summary

SUMMARY = "result_summary.txt"
_IOR = ("ior-easy-write.txt", "ior_easy_write.txt")
_RESULT = "result.txt"
_SUBMISSION = "submission-"
MOST_BYTES = 8 * MIB
ADVICE = "name a copy of IO500's repository of submissions, or a folder of results of IO500"


@dataclass(frozen=True)
class Submission:
    """`name`: as its folders say, such as "KIT/HoreKa/Lustre/2021/submission-12"."""

    name: str
    summary: Summary
    clients: Clients


@dataclass(frozen=True)
class LeftOut:
    """A submission that is no part of the background; `why`: a key of WHY."""

    name: str
    why: str


WHY = {
    "invalid": "marked as not valid",
    "incomplete": "lacks a phase",
    "ambiguous": "several results, and none is known to be its own",
    "twice": "the same numbers as another one",
    "unreadable": "cannot be read",
}


@dataclass(frozen=True)
class Found:
    """Those that count, in the order of their names, and the others."""

    submissions: tuple[Submission, ...]
    left_out: tuple[LeftOut, ...]


def find_submissions(folder: Path) -> Found:
    """All below the folder. Raises WeirError where that is none, or has no results of IO500."""
    if why := why_no_folder(folder):
        raise WeirError(f"cannot read submissions in '{folder}'", why, ADVICE)
    groups: dict[str, list[Path]] = {}
    for path in _summaries(folder):
        groups.setdefault(_name_of(path.parent.relative_to(folder), folder), []).append(path)
    if not groups:
        raise WeirError(f"there are no submissions in '{folder}'", f"no {SUMMARY} lies in it", ADVICE)
    good, left = list[Submission](), list[LeftOut]()
    known: set[tuple[tuple[str, float], ...]] = set()
    for name in sorted(groups):
        one = _read(name, groups[name])
        if isinstance(one, Submission):
            numbers = _numbers(one.summary)
            if numbers not in known:
                known.add(numbers)
                good.append(one)
                continue
            one = LeftOut(name, "twice")
        left.append(one)
    return Found(tuple(good), tuple(left))


def _summaries(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders.sort()
        if SUMMARY in names:
            yield Path(where, SUMMARY)


def _name_of(place: Path, folder: Path) -> str:
    """Up to the submission's folder; of other results all."""
    parts = place.parts
    ends = [at for at, part in enumerate(parts, 1) if part.startswith(_SUBMISSION)]
    return "/".join(parts[: ends[0]] if ends else parts) or folder.resolve().name


def _read(name: str, paths: list[Path]) -> Submission | LeftOut:
    """The one of a submission's summaries that is its own."""
    try:
        read = [(path, read_summary(_text(path))) for path in paths]
        own = [one for one in read if _beside(one[0], *_IOR)] or read
        if len({_numbers(summary) for _, summary in own}) > 1:
            return LeftOut(name, "ambiguous")
        path, summary = own[0]
        ior, result = (_beside(path, *names) for names in (_IOR, (_RESULT,)))
        clients = clients_of(_text(ior) if ior else "", _text(result) if result else "")
    except WeirError:
        return LeftOut(name, "unreadable")
    if summary.invalid:
        return LeftOut(name, "invalid")
    return LeftOut(name, "incomplete") if summary.missing else Submission(name, summary, clients)


def _beside(path: Path, *names: str) -> Path | None:
    found = (path.with_name(name) for name in names)
    return next((one for one in found if one.is_file()), None)


def _text(path: Path) -> str:
    return read_named(path, MOST_BYTES, "the results", ADVICE).decode("utf-8", "replace")


def _numbers(summary: Summary) -> tuple[tuple[str, float], ...]:
    return tuple(sorted((name, one.value) for name, one in summary.results.items()))
