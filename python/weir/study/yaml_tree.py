"""YAML studies: the same shape as TOML, without YAML's surprises."""

import re
from typing import Any

from weir.bounded import MOST_DEPTH
from weir.errors import WeirError
from weir.study.source import KeyPath, Source

MOST_NODES = 100_000
_BRACKET = re.compile(r""""[^"\n]*"|'[^'\n]*'|[][{}]""")
_PLAIN_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_TRUTHS = ("true", "false")


def read_yaml(text: str, file: str) -> tuple[Any, Source]:
    """The data of a YAML text and where its keys stand.

    Refused with WeirError are: a key given twice, and scalars that YAML 1.1 takes for something else than
    a person does, such as `1:30:00` (5400), `010` (8) and `on` (true).
    """
    try:
        import yaml  # noqa: PLC0415
    except ImportError as error:
        raise WeirError(
            f"cannot read '{file}'",
            "PyYAML is not installed",
            "install weir[yaml], or write the study in TOML",
        ) from error
    if _brackets(text) > MOST_DEPTH:
        # PyYAML takes seconds for some thousands.
        raise WeirError(f"{file}: not YAML", f"it is nested more than {MOST_DEPTH} deep", "check the file")
    source = Source(file)
    _walk(_parsed(yaml.compose, text, file), (), source)
    return _parsed(yaml.load, text, file), source


def _brackets(text: str) -> int:
    """How many brackets are open at a time, at most; those in quotes do not count."""
    depth = deepest = 0
    for found in _BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        deepest = max(deepest, depth)
    return deepest


def _parsed(parse: Any, text: str, file: str) -> Any:
    import yaml  # noqa: PLC0415

    try:
        return parse(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{file}:{mark.line + 1}" if mark else file
        raise WeirError(f"{place}: not YAML", error.problem or "", "check the indentation there") from error
    except RecursionError as error:
        raise WeirError(f"{file}: not YAML", "it is nested too deeply", "check the file") from error
    except (yaml.YAMLError, ValueError, LookupError) as error:
        # PyYAML lets the errors of Python's own conversions through, of an empty `!!int` for instance.
        raise WeirError(f"{file}: not YAML", str(error), "check that it is the right file") from error


def _walk(node: Any, path: KeyPath, source: Source) -> None:
    if node is None:
        return
    if len(path) > MOST_DEPTH:
        raise source.error(path[:MOST_DEPTH], f"it is nested more than {MOST_DEPTH} deep")
    if len(source.lines) > MOST_NODES:
        raise source.error(path, f"it has more than {MOST_NODES:,} values", "aliases count for each use", "")
    source.lines.setdefault(path, node.start_mark.line + 1)
    if node.id == "mapping":
        for key, value in node.value:
            inner = (*path, str(key.value))
            stands_twice = inner in source.lines
            source.lines[inner] = key.start_mark.line + 1
            if stands_twice:
                raise source.error(inner, f"'{key.value}' stands twice", "", "remove one of the two")
            _walk(value, inner, source)
    elif node.id == "sequence":
        for index, value in enumerate(node.value):
            _walk(value, (*path, index), source)
    else:
        _check_scalar(node, path, source)


def _check_scalar(node: Any, path: KeyPath, source: Source) -> None:
    kind = node.tag.rsplit(":", 1)[-1]
    surprising = (kind == "int" and not _PLAIN_INTEGER.fullmatch(node.value)) or (
        kind == "bool" and node.value not in _TRUTHS
    )
    if surprising or kind == "timestamp":
        raise source.error(
            path,
            f"{node.value} is not what it looks like",
            f"YAML reads it as a {kind}",
            f'write "{node.value}" in quotes if text is meant; times are written as "1h30m"',
        )
