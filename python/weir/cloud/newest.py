"""The newest state in a directory of dumps."""

from __future__ import annotations

from pathlib import Path

from weir.cloud.dump import open_dump
from weir.errors import WeirError

RESTART = "restart"
ANALYSIS = "analysis-"


def newest_in(directory: Path) -> Path:
    """The data-analysis file of the step that the restart file holds, else the restart file, which each
    dump replaces once it is whole; without one the data-analysis file of the last step. Raises WeirError if
    there is neither.
    """
    analyses = {_step(path): path for path in sorted(directory.glob(f"{ANALYSIS}*"))}
    restart = directory / RESTART
    if restart.is_file():
        return analyses.get(open_dump(restart).header.step, restart)
    steps = [step for step in analyses if step is not None]
    if not steps:
        raise WeirError(
            f"there is no dump in '{directory}'",
            f"it has neither {RESTART} nor {ANALYSIS}000005 or the like",
            "name the directory that `weir-core cloud` wrote its dumps to, or a file of them",
        )
    return analyses[max(steps)]


def _step(path: Path) -> int | None:
    number = path.name.removeprefix(ANALYSIS)
    return int(number) if number.isdecimal() else None
