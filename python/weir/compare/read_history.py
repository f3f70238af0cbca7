"""From runs on a disk to the history of their study."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from weir.analyse.paired import ALIKE
from weir.compare.history import Course, courses, series_in, without_last
from weir.compare.history_screen import History
from weir.compare.levels import readable, row_key
from weir.compare.naming import name_by_label
from weir.errors import ExitCode, WeirError
from weir.report.headline_rows import headline_rows
from weir.results.row import Row
from weir.store.runs_here import look_into
from weir.study.load import load_study


def name_of(study: str) -> str:
    """The name of a study, which may be given by its file. Raises WeirError where that is none."""
    path = Path(study)
    return load_study(path).file.study.name if path.suffix and path.is_file() else study


def runs_of(study: str, folder: Path) -> tuple[list[Path], int]:
    """The runs of a study in a folder, and how many runs there cannot be read, which may be of it. Raises
    WeirError where there is none."""
    runs, broken = look_into(folder)
    found = [one.path for one in runs if one.study == study]
    if not found:
        raise WeirError(
            f"there is no run of '{study}' in '{folder}'",
            "",
            "name the folder with --in, or make runs with `weir run`",
            ExitCode.INCONCLUSIVE,
        )
    return found, len(broken)


def read_history(study: str, paths: Iterable[Path], matters: float = ALIKE, broken: int = 0) -> History:
    """The history of these runs, of the machine of the last one; `broken`: so many runs beside them may be of
    the study, and cannot be read. Raises WeirError where none can."""
    runs, rows, lost = readable(paths)
    if not runs:
        raise WeirError(f"no run of '{study}' can be read", "", "see to it that you may read them")
    here = [run for run in runs if run.host == runs[-1].host]
    named, others = _labelled(rows)
    found = series_in(here, named), series_in(here, others)
    return History(
        study=study,
        host=here[-1].host,
        made=tuple(run.made for run in here),
        headline=tuple(courses(found[0], matters)),
        others=tuple(courses(found[1], matters)),
        lost=len(lost) + broken,
        elsewhere=len(runs) - len(here),
    )


def before_last(now: History, matters: float = ALIKE) -> History:
    """The history as it was before its last run."""
    named, others = (
        without_last([one.series for one in part], now.made[-1]) for part in (now.headline, now.others)
    )
    return replace(
        now,
        made=now.made[:-1],
        headline=tuple(courses(named, matters)),
        others=tuple(courses(others, matters)),
    )


def _labelled(rows: list[Row]) -> tuple[dict[str, Row], dict[str, Row]]:
    """The rows that speak for the run, and all others, each under a name of its own."""
    named = {label: row for label, row in headline_rows(rows).items() if row is not None}
    keys = {row_key(row) for row in named.values()}
    left = [row for row in rows if row_key(row) not in keys]
    name = name_by_label(left)
    return named, {name(row): row for row in left}


def news(now: History, before: History) -> bool:
    """Whether the last run changed what is known of any row."""
    known = [{one.series.label: _what(one) for one in (*h.headline, *h.others)} for h in (now, before)]
    return any(known[1].get(label, known[0][label]) != what for label, what in known[0].items())


def _what(course: Course) -> tuple[str, int, bool]:
    """The verdict where a level has ended, how many there are, and whether the end is in doubt."""
    return str(course.verdict) if course.reference else "", len(course.levels), course.perhaps is not None
