"""From a case to what its launch asks for, and to the file that the core reads."""

from collections.abc import Sequence
from typing import Any

from weir.core.schema import PROTOCOL
from weir.launch.base import LaunchSpec
from weir.study.case import DIRECTORY_OPTION, Case

KEEP_OPTION = "keep"


def spec_of(case: Case) -> LaunchSpec:
    """What the case's launch asks for."""
    return LaunchSpec(ranks=case.ranks, env=tuple(sorted(case.env.items())), mpi_io=case.mpi_io)


def case_entry(case: Case, directory: str | None, *, keep: bool = False) -> dict[str, Any]:
    """The case as the core reads it, working in that directory if it works in any."""
    options = {name: value for name, value in case.options.items() if value is not None}
    if case.uses_directory:
        options[DIRECTORY_OPTION] = directory
    if KEEP_OPTION in case.options:
        options[KEEP_OPTION] = keep
    return {"id": case.id, "benchmark": case.benchmark, "options": options}


def case_file(
    entries: Sequence[dict[str, Any]], spec: LaunchSpec, binding: str | None, warm_memory_bytes: int | None
) -> dict[str, Any]:
    """The whole file for one launch, with what the core is to check about it and the memory it is to touch
    before.

    None for the memory leaves it to the core, which then touches as much as the largest of these cases
    will cache.
    """
    expect = {"ranks": spec.ranks, "nodes": spec.nodes, "binding": binding}
    warm = {} if warm_memory_bytes is None else {"warm_memory_bytes": warm_memory_bytes}
    return {
        "schema": PROTOCOL,
        "expect": {key: value for key, value in expect.items() if value is not None},
        **warm,
        "cases": list(entries),
    }
