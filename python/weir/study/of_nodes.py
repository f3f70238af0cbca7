"""What a study says by the nodes of the job: `nodes = "up to all"`, `ranks = "2 to cores or nodes"`, and
comparisons that are there on several nodes alone. On one node it says nothing of nodes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from weir.study.load import Study
from weir.study.of_cores import RANKS, counts_of, is_of_cores, on_one_node
from weir.study.placement import NODES
from weir.study.schema import ComparisonSection
from weir.toml.source import KeyPath, Source

UP_TO_ALL = "up to all"


def settled(study: Study, nodes: int) -> Study:
    """The study for a job of so many nodes: with numbers, and without the comparisons that take more."""
    parts = study.comparisons
    kept = [at for at, part in enumerate(parts) if part.nodes_from <= nodes]
    file = msgspec.structs.replace(
        study.file,
        fixed=_fixed(study.file.fixed, nodes),
        comparison=[_comparison(parts[at], nodes) for at in kept],
    )
    return replace(study, file=file, source=_without_gaps(study.source, kept))


def _without_gaps(source: Source, kept: Sequence[int]) -> Source:
    """The lines of the comparisons that are left, by their new numbers."""

    def place(path: KeyPath) -> KeyPath | None:
        if path[:1] != ("comparison",) or len(path) == 1:
            return path
        return (path[0], kept.index(path[1]), *path[2:]) if path[1] in kept else None

    placed = ((place(path), line) for path, line in source.lines.items())
    return replace(source, lines={path: line for path, line in placed if path is not None})


def _comparison(part: ComparisonSection, nodes: int) -> ComparisonSection:
    axes = {key: _axis(key, values, nodes) for key, values in part.axes.items()}
    return msgspec.structs.replace(part, fixed=_fixed(part.fixed, nodes), axes=axes)


def _axis(key: str, values: Any, nodes: int) -> Any:
    if isinstance(values, list):
        return [_value(key, one, nodes) for one in values]
    on_one = on_one_node(values)
    return counts_of(on_one, nodes) if nodes > 1 and on_one != values and is_of_cores(on_one) else on_one


def _fixed(table: dict[str, Any], nodes: int) -> dict[str, Any]:
    said = {key: value for key, value in table.items() if nodes > 1 or (key, value) != (NODES, UP_TO_ALL)}
    return {key: _value(key, value, nodes) for key, value in said.items()}


def _value(key: str, value: Any, nodes: int) -> Any:
    """One that is of the nodes as a number; any other as it is."""
    if (key, value) == (NODES, UP_TO_ALL):
        return f"up to {nodes}"
    on_one = on_one_node(value) if key == RANKS else value
    if on_one == value:
        return value
    if nodes > 1:
        return nodes
    return int(on_one) if on_one.isascii() and on_one.isdigit() else on_one
