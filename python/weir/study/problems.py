"""Turns what msgspec says about a study's shape into an error with line, reason and example."""

import re
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from weir.errors import WeirError
from weir.study.schema import StudyFile
from weir.study.source import KeyPath, Source
from weir.study.suggest import did_you_mean

_AT = re.compile(r" - at `\$?(?P<path>[^`]*)`$")
_STEP = re.compile(r"\.([A-Za-z_][\w-]*)|\[(\d+|\.\.\.)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>.+)`")
_MISSING = re.compile(r"Object missing required field `(?P<key>.+)`")


def shape_error(error: msgspec.ValidationError, source: Source) -> WeirError:
    """The error for the person who wrote the study."""
    text = str(error)
    at = _AT.search(text)
    said = text[: at.start()] if at else text
    path: KeyPath = tuple(_steps(at.group("path"))) if at else ()
    if unknown := _UNKNOWN.fullmatch(said):
        key = unknown.group("key")
        known = [field.name for field in msgspec.structs.fields(_type_at(path))]
        return source.error((*path, key), f"unknown key '{key}'", "", did_you_mean(key, known))
    if missing := _MISSING.fullmatch(said):
        key = missing.group("key")
        return source.error(path, f"'{key}' is missing", "", f"add {_example(path, key)}")
    if not path:
        return source.error(path, "the study is no table", said, "it begins with a table [study]")
    names = [at for at, step in enumerate(path) if isinstance(step, str)]
    above, key = (path[: names[-1]], str(path[names[-1]])) if names else ((), "")
    why = said[0].lower() + said[1:].replace("`", "") if said else ""
    return source.error(path, f"wrong value for '{key}'", why, f"write for example {_example(above, key)}")


def _steps(path: str) -> list[str | int]:
    return [name if name else int(index) for name, index in _STEP.findall(path) if name or index != "..."]


def _type_at(path: KeyPath) -> Any:
    """The Struct that describes the table at the path; indices into arrays are passed through."""
    kind: Any = StudyFile
    for step in path:
        if isinstance(step, str) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            kind = get_type_hints(kind)[step]
        elif get_origin(kind) is list:
            kind = get_args(kind)[0]
    return kind


def _example(path: KeyPath, key: str) -> str:
    kind = _type_at(path)
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return f"another {key}"
    hint = get_type_hints(kind, include_extras=True)[key]
    example = next(str(e) for meta in get_args(hint)[1:] for e in meta.examples)
    return example if example.startswith("[") else f"{key} = {example}"
