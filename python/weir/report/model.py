"""The model that a run was simulated on: its values with their sources, as groups of facts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weir.bounded_parsing import decode_toml

ASSUMED = "assumed"
"""What stands before the colon of a source that is none."""
DEFAULT = "default"


@dataclass(frozen=True)
class ModelValue:
    """A key of a model, by its whole name, as it is written."""

    key: str
    value: str
    source: str

    @property
    def assumed(self) -> bool:
        """Whether nobody printed or measured it."""
        return self.source.partition(":")[0] == ASSUMED


def model_values(text: str) -> tuple[ModelValue, ...]:
    """All of a model's file, in their order; none where it is damaged."""
    try:
        return tuple(_values(decode_toml(text), ()))
    except ValueError:
        return ()


def _values(table: Mapping[str, Any], place: tuple[str, ...]) -> Iterator[ModelValue]:
    for key, found in table.items():
        if isinstance(found, dict) and "value" in found:
            value, source = str(found["value"]), str(found.get("source", ""))
            yield ModelValue(".".join([*place, key]), value, source)
        elif isinstance(found, dict):
            yield from _values(found, (*place, key))


def storage_is_assumed(values: tuple[ModelValue, ...]) -> bool:
    """Whether nothing is known of the storage, so that times of files are no forecast."""
    storage = [one for one in values if one.key.startswith("storage.")]
    return bool(storage) and all(one.assumed for one in storage)


def values_that_differ(
    ones: tuple[ModelValue, ...], others: tuple[ModelValue, ...]
) -> list[tuple[str, str, str]]:
    """Key, and both values, of two models that are known; "default" where one says nothing."""
    if not ones or not others:
        return []
    left, right = ({one.key: one.value for one in values} for values in (ones, others))
    keys = dict.fromkeys([*left, *right])
    pairs = ((key, left.get(key, DEFAULT), right.get(key, DEFAULT)) for key in keys)
    return [found for found in pairs if found[1] != found[2]]
