"""A study as resolved, written as TOML again: the defaults filled in, the values as the person wrote them."""

import json
from typing import Any

import msgspec

from weir.study.load import Study


def render_study(study: Study) -> str:
    """The text of `study.toml`. Reading it again gives the same study."""
    data: dict[str, Any] = msgspec.to_builtins(study.file)
    lines = ["[study]", *_pairs(data["study"]), "", "[fixed]", *_pairs(data["fixed"])]
    for comparison in data["comparison"]:
        lines += ["", "[[comparison]]", *_pairs(comparison)]
    return "\n".join(lines) + "\n"


def _pairs(table: dict[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items() if value is not None]


def _key(key: str) -> str:
    plain = key.replace("_", "").replace("-", "")
    return key if plain.isalnum() and plain.isascii() else json.dumps(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            inner = ", ".join(_pairs(value))
            return f"{{ {inner} }}" if inner else "{}"
        case list():
            return "[" + ", ".join(_value(item) for item in value) + "]"
        case str():
            # A JSON string is a TOML basic string, but for the delete character, which JSON leaves as it is.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
