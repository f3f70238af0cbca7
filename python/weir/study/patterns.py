"""The keys by which a study has a pattern carried out: an application's own, or one that imitates it."""

from typing import Any

import msgspec

from weir.study.launch_settings import Setting
from weir.study.load import Study

IMITATION, WORKLOAD = "imitation", "workload"
PATTERN_KEYS = (IMITATION, WORKLOAD)
"""They stand among a case's options, but are none of its benchmark."""
NONE, ITSELF, DERIVED = "none", "pattern", "derived"
"""Imitations: the benchmark is run, its pattern is, or what `weir predict` derives from that. Others are the
names of presets."""
_IMITATION_WORDS = {NONE: "the application", ITSELF: "its pattern", DERIVED: "derived parameters"}


def imitation_words(by: str) -> str:
    """What is carried out: the application, or what stands for it."""
    return _IMITATION_WORDS.get(by, f"preset {by}")


class Workload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pattern of `weir workload NAME --size SIZE`, for the ranks of the case; `sync`: each file is synced
    before it is closed."""

    name: str
    size: int
    sync: bool = False


def read_pattern_key(study: Study, key: str, setting: Setting) -> Any:
    """The value, as it is recorded. Raises WeirError, with the line, for what is none; which presets and
    workloads there are, `weir.predict` knows."""
    value = setting.value
    if key == WORKLOAD:
        try:
            return msgspec.to_builtins(msgspec.convert(value, Workload))
        except msgspec.ValidationError as error:
            example = 'write workload = { name = "gtc", size = 20000 }'
            raise study.source.error(setting.place, f"'{key}' is {value!r}", str(error), example) from error
    if not isinstance(value, str) or not value:
        raise study.source.error(
            setting.place, f"'{key}' is {value!r}", "it must be text", f'write {key} = "{DERIVED}"'
        )
    return value


def is_replayed(options: dict[str, Any]) -> bool:
    """Whether a case of these options carries out a pattern."""
    return WORKLOAD in options or options.get(IMITATION, NONE) != NONE
