"""YAML studies: the same shape as TOML, without YAML's surprises."""

import re
from typing import Any

from weir.errors import WeirError
from weir.study.source import KeyPath, Source

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
    try:
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        source = Source(file)
        _walk(tree, (), source)
        return yaml.safe_load(text), source
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{file}:{mark.line + 1}" if mark else file
        raise WeirError(f"{place}: not YAML", error.problem or "", "check the indentation there") from error


def _walk(node: Any, path: KeyPath, source: Source) -> None:
    if node is None:
        return
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
