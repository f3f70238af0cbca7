"""What `weir pattern` says to programs, and where it may write."""

from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir.trace.pattern.describe import steps_of
from weir.trace.pattern.recognise import Recognised


def check_out(out: Path) -> None:
    """Refuses a place where no file can be written, before a long trace is read."""
    if out.is_dir() or not out.parent.is_dir():
        why = "it is a directory" if out.is_dir() else f"there is no directory {out.parent}"
        raise WeirError(f"cannot write {out}", why, "Name a file, as in `-o pattern.json`.")


def as_data(found: Recognised, written: list[Path]) -> dict[str, Any]:
    """The outcome for `--json`."""
    return {
        "pattern": str(written[0]),
        "files_written": [str(path) for path in written],
        "operations": found.operations,
        "ranks": found.ranks,
        "interfaces": list(found.interfaces),
        "phases": [
            {
                "name": phase.name,
                "collective": phase.collective,
                "steps": steps_of(phase.steps),
            }
            for phase in found.phases
        ],
        "files": len(found.files),
        "computing": [
            {"median_s": one.median_s, "least_s": one.least_s, "most_s": one.most_s, "count": one.count}
            for one in found.computing
        ],
        "files_needed_before": [found.files[number].name for number in found.needed],
        "exact": found.exact,
        "inexact": found.inexact.counts,
        "made_independent": found.made_independent,
        "left_out": found.left_out.counts,
    }
