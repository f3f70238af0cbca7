"""Submissions to IO500 as a folder of profiles, for `weir read --io500`."""

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.cli._streams import print_json, print_lines, print_table
from weir.errors import ExitCode, WeirError, system_errors

if TYPE_CHECKING:
    from weir.io500.submissions import Found

FOLDER = Path("io500")


def read_submissions(submissions: Path, files: Sequence[str], out: Path | None, *, as_json: bool) -> ExitCode:
    """Read those below a folder, and make one of their profiles. Raises WeirError where there are none, or
    the folder is there already."""
    from weir.files.write import new_folder, write
    from weir.io500.background import files_of
    from weir.io500.submissions import find_submissions

    if files:
        raise WeirError(f"--io500 goes without files, and '{files[0]}' is named", "", "leave out one of them")
    place = out or FOLDER
    if place.exists():
        raise WeirError(
            f"'{place}' is there already", "profiles go into a new folder", "choose another --out"
        )
    found = find_submissions(submissions)
    if not found.submissions:
        counts = ", ".join(f"{count} {why}" for why, count in _left_out(found))
        raise WeirError(f"no submission in '{submissions}' counts", counts, "name more of them")
    with system_errors(f"cannot write to '{place}'", "choose another --out"), new_folder(place) as draft:
        for name, content in files_of(found.submissions):
            write(draft / name, content)
    if as_json:
        print_json(_as_data(place, found))
    else:
        _show(place, found)
    return ExitCode.FINE


def _left_out(found: "Found") -> list[tuple[str, int]]:
    """The reasons in words, and how many submissions each holds for."""
    from weir.io500.submissions import WHY

    return [(WHY[why], count) for why, count in Counter(one.why for one in found.left_out).most_common()]


def _as_data(place: Path, found: "Found") -> dict[str, Any]:
    return {
        "folder": str(place),
        "submissions": [
            {
                "name": one.name,
                "version": one.summary.version or None,
                "nodes": one.clients.nodes,
                "processes": one.clients.processes,
                "interface": one.clients.interface,
            }
            for one in found.submissions
        ],
        "left_out": [{"name": one.name, "why": one.why} for one in found.left_out],
    }


def _show(place: Path, found: "Found") -> None:
    """How many were read, why others were not, and what to do with them."""
    unknown = sum(one.clients.nodes is None for one in found.submissions)
    rows = [("read", str(len(found.submissions))), ("of unknown client nodes", str(unknown))]
    rows += [(f"left out: {why}", str(count)) for why, count in _left_out(found)]
    print_table(("~submissions", ">count"), rows)
    folder = shlex.quote(str(place))
    print_lines([f"Their profiles are in '{place}': `weir compare RUN --background {folder}`"])
