"""`block = "calibrated"`: a size that the study leaves to a calibration of the storage."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from weir.study.case import DIRECTORY_OPTION
from weir.study.load import Study

CALIBRATED = "calibrated"
CALIBRATED_OPTION = "block"

BlockOf = Callable[[int, Mapping[str, Any]], int]
"""The calibrated block for so many ranks and these options, in bytes."""


def is_calibrated(key: str, value: Any) -> bool:
    """Whether the study leaves this value to a calibration."""
    return key == CALIBRATED_OPTION and value == CALIBRATED


def calibrated_directories(study: Study, directory: Path | None) -> list[Path]:
    """The directories whose calibration the study needs; empty if it needs none."""

    def stated(key: str) -> list[Any]:
        tables = [study.file.fixed, *(part.fixed for part in study.comparisons)]
        fixed = [table[key] for table in tables if key in table]
        return fixed + [value for part in study.comparisons for value in part.axes.get(key, [])]

    if CALIBRATED not in stated(CALIBRATED_OPTION):
        return []
    names = dict.fromkeys(stated(DIRECTORY_OPTION)) or [directory or Path()]
    return [Path(name).absolute() for name in names]
