"""What there is to choose from, as data. Everything is asked of whoever declares it."""

from typing import Any

import msgspec

from weir.core.client import Core
from weir.core.locate import find_core
from weir.core.schema import Schema
from weir.errors import WeirError
from weir.launch.base import launchers
from weir.study.library import own_studies
from weir.study.load import load_study
from weir.study.suggest import did_you_mean


def gather(benchmark: str | None) -> dict[str, Any]:
    """Benchmarks (only the named one, if any) with their options, back-ends, launchers, studies, figures."""
    schema = Core(find_core()).schema()
    return {
        "core": {"version": schema.version, "build": schema.build},
        "benchmarks": [msgspec.to_builtins(chosen) for chosen in _chosen(schema, benchmark)],
        "backends": msgspec.to_builtins(schema.backends),
        "backends_left_out": msgspec.to_builtins(schema.backends_left_out),
        "launchers": [{"name": name, "summary": kind.summary} for name, kind in launchers().items()],
        "studies": [
            {"name": name, "title": load_study(path).file.study.title} for name, path in own_studies().items()
        ],
        "figures": _figures(),
    }


def _chosen(schema: Schema, name: str | None) -> list[Any]:
    if name is None:
        return list(schema.benchmarks)
    found = schema.benchmark(name)
    if found is None:
        known = [benchmark.name for benchmark in schema.benchmarks]
        raise WeirError(f"there is no benchmark '{name}'", "", did_you_mean(name, known))
    return [found]


def _figures() -> list[str]:
    from weir.figures.drawing import names

    return list(names())
