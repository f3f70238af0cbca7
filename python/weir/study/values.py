"""One value of a study checked against the declaration of its option, and turned into what the core reads."""

from collections.abc import Callable
from typing import Any

from weir.core.option import Option
from weir.errors import WeirError, did_you_mean
from weir.units import parse_bytes, parse_seconds, spell_bytes, spell_seconds


def resolve_value(option: Option, value: Any) -> Any:
    """The value as the core reads it: bytes and seconds as numbers. Raises WeirError if it does not fit."""
    if option.type not in ("choice", *_QUANTITIES, *_PLAIN):
        raise WeirError(
            f"option '{option.name}' has the unknown type '{option.type}'",
            "weir-core is newer than this Weir",
            "use the Weir that belongs to it",
        )
    resolved = _read(option, value)
    _check_range(option, resolved)
    return resolved


def spell_value(option: Option, resolved: Any) -> str:
    """A resolved value as a study would spell it."""
    match option.type, resolved:
        case _, None:
            return "unset"
        case "bytes", int():
            return spell_bytes(resolved)
        case "seconds", int() | float():
            return spell_seconds(resolved)
        case "bool", bool():
            return "yes" if resolved else "no"
        case "texts", list():
            return " ".join(resolved) if resolved else "none"
    return str(resolved)


def _read(option: Option, value: Any) -> Any:
    if option.type == "choice":
        return _choice(option, value)
    if option.type in _QUANTITIES:
        parse, what, example = _QUANTITIES[option.type]
        if isinstance(value, str):
            return parse(value)
        why = "a bare number has no unit" if isinstance(value, (int, float)) else "it must be text"
        wanted = f"a {what}"
    else:
        fits, read, wanted, example = _PLAIN[option.type]
        if fits(value):
            return read(value)
        why = ""
    raise WeirError(f"'{option.name}' is {value!r}, not {wanted}", why, f"write {option.name} = {example}")


def _choice(option: Option, value: Any) -> str:
    choices = option.choices or []
    if value in choices or (option.alias is not None and value == option.alias):
        return str(value)
    raise WeirError(
        f"'{option.name}' is {value!r}",
        f"it must be one of: {', '.join(choices)}",
        did_you_mean(value, choices) if isinstance(value, str) else f'write {option.name} = "{choices[0]}"',
    )


def _check_range(option: Option, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    for bound, broken, word in (
        (option.min, option.min is not None and value < option.min, "at least"),
        (option.max, option.max is not None and value > option.max, "at most"),
    ):
        if broken and bound is not None:
            limit = int(bound) if float(bound).is_integer() else bound
            raise WeirError(
                f"'{option.name}' is {spell_value(option, value)}",
                f"it must be {word} {spell_value(option, limit)}",
                f"write for example {option.name} = {_literal(option, limit)}",
            )


def _literal(option: Option, value: Any) -> str:
    spelt = spell_value(option, value)
    return f'"{spelt}"' if option.type in ("bytes", "seconds") else spelt


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_QUANTITIES: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "bytes": (parse_bytes, "size", '"64KiB"'),
    "seconds": (parse_seconds, "time", '"30s"'),
}
"""By the option's type: how text is read, what it is, and an example."""
_PLAIN: dict[str, tuple[Callable[[Any], bool], Callable[[Any], Any], str, str]] = {
    "count": (lambda v: _is_number(v) and isinstance(v, int), int, "a whole number", "4"),
    "number": (_is_number, float, "a number", "0.5"),
    "bool": (lambda v: isinstance(v, bool), bool, "true or false", "true"),
    "text": (lambda v: isinstance(v, str), str, "text", '"some text"'),
    "texts": (
        lambda v: isinstance(v, list) and all(isinstance(each, str) for each in v),
        list,
        "a list of texts",
        '["key=value"]',
    ),
}
"""By the option's type: what fits, how it is read, what it is, and an example."""
