"""What `block = "calibrated"` becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.calibrate.sizes import round_up
from weir.study.calibrated import CALIBRATED_OPTION, is_calibrated
from weir.study.case import DIRECTORY_OPTION
from weir.study.load import Study


@dataclass(frozen=True)
class Blocks:
    """The block of each case whose study leaves it to the calibration: all ranks' files together are as large
    as those that were calibrated, on one node."""

    node_bytes: Mapping[Path, int]
    """By directory."""
    default: Path
    """The directory of cases that state none."""

    def __call__(self, ranks: int, options: Mapping[str, Any]) -> int:
        """Bytes of one rank in one segment of one file: a multiple of the transfer."""
        stated = options.get(DIRECTORY_OPTION)
        total = self.node_bytes[Path(stated).absolute() if stated else self.default]
        writers = options.get("tasks") or ranks
        parts = writers * (options.get("segments") or 1) * (options.get("files") or 1)
        return round_up(total / parts, options.get("transfer") or 1)


def calibrated_directories(study: Study, directory: Path | None) -> list[Path]:
    """The directories whose calibration the study needs; empty if it needs none."""
    tables = [study.file.fixed, *(c.fixed for c in study.comparisons)]
    axes = [c.axes for c in study.comparisons]
    values = [t.get(CALIBRATED_OPTION) for t in tables]
    values += [value for a in axes for value in a.get(CALIBRATED_OPTION, [])]
    if not any(is_calibrated(CALIBRATED_OPTION, value) for value in values):
        return []
    stated = [t[DIRECTORY_OPTION] for t in tables if DIRECTORY_OPTION in t]
    stated += [name for a in axes for name in a.get(DIRECTORY_OPTION, [])]
    return [Path(name).absolute() for name in dict.fromkeys(stated)] or [(directory or Path()).absolute()]
