"""What a site sets in place of options that nobody gave."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weir.printable import printable

if TYPE_CHECKING:
    from weir.core.client import Core
    from weir.study.load import Study


def storage_of(given: Path | None) -> Path | None:
    """The storage to measure: what was given, else the site's scratch storage, which is told; None where the
    site names none."""
    from weir.site.load import site

    if given is not None:
        return given
    found = site()
    if found.directories.scratch is not None:
        place = found.place("directories.scratch")
        told = f"measuring in '{found.directories.scratch}', the site's scratch storage ({place})"
        print(printable(f"weir: {told}"), file=sys.stderr)
    return found.directories.scratch


def storage_of_study(given: Path | None, study: Study, core: Core) -> Path | None:
    """The same where the study leaves it to the command line, and measures storage at all."""
    from weir.study.storage import leaves_directory

    return storage_of(given) if leaves_directory(study, core.schema()) else given


def threshold_of(key: str, given: str | None, otherwise: str) -> str:
    """What was given, else the site's threshold of that key, else the usual."""
    from weir.site.load import site

    if given is not None:
        return given
    return getattr(site().thresholds, key) or otherwise
