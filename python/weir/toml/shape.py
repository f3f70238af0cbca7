"""Reads TOML into the struct that declares its shape; what a file has wrong of it becomes an error with line,
reason and example.

The fields of such structs carry `Meta(examples=[...])`: what is shown where the key is missing or wrong.
"""

import re
import tomllib
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from weir.bounded_parsing import decode_toml
from weir.errors import WeirError, did_you_mean
from weir.toml.names import NAME, WHAT_NAMES_ARE
from weir.toml.source import KeyPath, Source, locate_keys

T = TypeVar("T", bound=msgspec.Struct)

_IN_PLAIN_WORDS = {"Cannot overwrite a value": "a key stands there twice"}
"""For what the reader of TOML says."""
_SYNTAX_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def read_toml(text: str, name: str, example: str) -> tuple[dict[str, Any], Source]:
    """The tables of that text, and where each key stands; `name` is the file's. Raises WeirError, with the
    line and an example of one, where it is no TOML."""
    try:
        data = decode_toml(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        found = _SYNTAX_PLACE.search(said)
        line = found.group(1) if found and found.group(1) else len(text.splitlines())
        why = said[: found.start()] if found else said
        why = _IN_PLAIN_WORDS.get(why, why)
        raise WeirError(f"{name}:{line}: not TOML", why, f"a line reads for example: {example}") from error
    return data, Source(name, locate_keys(text))


def shaped(data: Any, kind: type[T], source: Source, below: KeyPath = ()) -> T:
    """The tables as that struct, where they stand below that key of the file. Raises WeirError for the person
    who wrote them."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise _shape_error(error, kind, source, below) from error


_HEADER = re.compile(r"\[+[a-z]")
_AT = re.compile(r" - at `\$?(?P<path>[^`]*)`$")
_STEP = re.compile(r"\.([A-Za-z_][\w-]*)|\[(\d+|\.\.\.)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>.+)`")
_MISSING = re.compile(r"Object missing required field `(?P<key>.+)`")


def _shape_error(
    error: msgspec.ValidationError, kind: type[msgspec.Struct], source: Source, below: KeyPath
) -> WeirError:
    text = str(error)
    at = _AT.search(text)
    said = text[: at.start()] if at else text
    path: KeyPath = tuple(_steps(at.group("path"))) if at else ()
    here = (*below, *path)
    if unknown := _UNKNOWN.fullmatch(said):
        key = unknown.group("key")
        known = [field.name for field in msgspec.structs.fields(_type_at(kind, path))]
        return source.error((*here, key), f"unknown key '{key}'", "", did_you_mean(key, known))
    if missing := _MISSING.fullmatch(said):
        key = missing.group("key")
        return source.error(here, f"'{key}' is missing", "", f"add {_example(kind, path, key)}")
    if not path:
        return source.error(here, "there is no table", said, "begin one, as [name]")
    names = [at for at, step in enumerate(path) if isinstance(step, str)]
    above, key = (path[: names[-1]], str(path[names[-1]])) if names else ((), "")
    why = said[0].lower() + said[1:].replace("`", "") if said else ""
    if NAME in said:
        why = WHAT_NAMES_ARE
    advice = f"write for example {_example(kind, above, key)}"
    return source.error(here, f"wrong value for '{key}'", why, advice)


def _steps(path: str) -> list[str | int]:
    return [name if name else int(index) for name, index in _STEP.findall(path) if name or index != "..."]


def _type_at(kind: Any, path: KeyPath) -> Any:
    """The Struct that describes the table at the path; indices into arrays are passed through."""
    for step in path:
        if isinstance(step, str) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            kind = _without_none(get_type_hints(kind)[step])
        elif get_origin(kind) is list:
            kind = get_args(kind)[0]
    return kind


def _without_none(kind: Any) -> Any:
    some = [one for one in get_args(kind) if one is not NoneType]
    return some[0] if isinstance(kind, UnionType) and len(some) == 1 else kind


def _example(root: type[msgspec.Struct], path: KeyPath, key: str) -> str:
    kind = _type_at(root, path)
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return f"another {key}"
    hint = get_type_hints(kind, include_extras=True)[key]
    example = next(str(e) for meta in get_args(hint)[1:] for e in meta.examples)
    return example if _HEADER.match(example) else f"{key} = {example}"
