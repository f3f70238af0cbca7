"""One value of a study checked against the declaration of its option, and turned into what the core reads."""

from collections.abc import Callable
from typing import Any

from weir.core.schema import Option
from weir.errors import WeirError, did_you_mean
from weir.units import parse_bytes, parse_seconds, spell_bytes, spell_seconds


def resolve_value(option: Option, value: Any) -> Any:
    """The value as the core reads it: bytes and seconds as numbers. Raises WeirError if it does not fit."""
    if option.type not in _PARSERS:
        raise WeirError(
            f"option '{option.name}' has the unknown type '{option.type}'",
            "weir-core is newer than this Weir",
            "use the Weir that belongs to it",
        )
    resolved = _PARSERS[option.type](option, value)
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


def _bytes(option: Option, value: Any) -> int:
    return parse_bytes(_text_of_quantity(option, value, "size", '"64KiB"'))


def _seconds(option: Option, value: Any) -> float:
    return parse_seconds(_text_of_quantity(option, value, "time", '"30s"'))


def _text_of_quantity(option: Option, value: Any, what: str, example: str) -> str:
    if isinstance(value, str):
        return value
    why = "a bare number has no unit" if isinstance(value, (int, float)) else "it must be text"
    raise WeirError(f"'{option.name}' is {value!r}, not a {what}", why, f"write {option.name} = {example}")


def _count(option: Option, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise _mismatch(option, value, "a whole number", "4")


def _number(option: Option, value: Any) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise _mismatch(option, value, "a number", "0.5")


def _bool(option: Option, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise _mismatch(option, value, "true or false", "true")


def _text(option: Option, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise _mismatch(option, value, "text", '"some text"')


def _choice(option: Option, value: Any) -> str:
    choices = option.choices or []
    if value in choices:
        return str(value)
    raise WeirError(
        f"'{option.name}' is {value!r}",
        f"it must be one of: {', '.join(choices)}",
        did_you_mean(value, choices) if isinstance(value, str) else f'write {option.name} = "{choices[0]}"',
    )


def _texts(option: Option, value: Any) -> list[str]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return list(value)
    raise _mismatch(option, value, "a list of texts", '["key=value"]')


def _mismatch(option: Option, value: Any, wanted: str, example: str) -> WeirError:
    return WeirError(f"'{option.name}' is {value!r}, not {wanted}", "", f"write {option.name} = {example}")


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


_PARSERS: dict[str, Callable[[Option, Any], Any]] = {
    "bytes": _bytes,
    "seconds": _seconds,
    "count": _count,
    "number": _number,
    "bool": _bool,
    "choice": _choice,
    "text": _text,
    "texts": _texts,
}
