"""`block = "calibrated"`: a size that the study leaves to a calibration of the storage."""

from collections.abc import Callable, Mapping
from typing import Any

CALIBRATED = "calibrated"
CALIBRATED_OPTION = "block"

BlockOf = Callable[[int, Mapping[str, Any]], int]
"""The calibrated block for so many ranks and these options, in bytes."""


def is_calibrated(key: str, value: Any) -> bool:
    """Whether the study leaves this value to a calibration."""
    return key == CALIBRATED_OPTION and value == CALIBRATED
