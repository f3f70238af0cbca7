"""`weir list`: what there is to choose from. Everything is asked of whoever declares it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption
from weir.cli._streams import print_json, print_table
from weir.errors import WeirError, did_you_mean
from weir.units import count_words

if TYPE_CHECKING:
    from weir.core.option import Option
    from weir.core.schema import Schema

WhatArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[BENCHMARK | runs | machines]",
        help="Show the options of this benchmark; runs: those in the folder of runs; machines: of papers.",
        autocompletion=completion.benchmarks,
    ),
]


RUNS, MACHINES = "runs", "machines"


def command(benchmark: WhatArgument = None, json: JsonOption = False) -> None:
    """List benchmarks, back-ends, launchers, studies, figures and kinds of dumps; with a benchmark's name,
    all of its options; with `runs`, the runs that were made here; with `machines`, those of papers that
    `weir compare` takes by name, and the models that `weir predict --on` does."""
    if benchmark == RUNS:
        _list_runs(as_json=json)
        return
    if benchmark == MACHINES:
        _list_machines(as_json=json)
        return
    found = _gather(benchmark)
    if json:
        print_json(found)
    elif benchmark is not None:
        _show_benchmark(found["benchmarks"][0])
    else:
        _show_overview(found)


def _list_runs(*, as_json: bool) -> None:
    """The runs below the folder, the last one first."""
    from weir.store.run_directory import runs_folder
    from weir.store.runs_here import runs_here

    found = runs_here()
    if as_json:
        keys = ("study", "title", "created_at")
        data = [{"run": str(run.path), **{key: getattr(run, key) for key in keys}} for run in found]
        print_json({"runs": data})
    elif found:
        rows = [
            [run.created_at[:16].replace("T", " "), run.title or run.study, str(run.path)] for run in found
        ]
        print_table(("made, UTC", "~study", "run"), rows)
    else:
        sys.stdout.write(f"There is no run in the folder '{runs_folder()}'.\n")


def _list_machines(*, as_json: bool) -> None:
    """The machines of papers, with how many of their numbers are printed; and those that are modelled."""
    from weir.compare.profile import read_profile
    from weir.compare.shipped import shipped_machines
    from weir.simulate.find import load_machine, own_machines
    from weir.simulate.model import assumed_storage

    models = {name: load_machine(path) for name, path in own_machines().items()}
    found = {name: read_profile(path) for name, path in shipped_machines().items()}
    if as_json:
        keys = ("source", "created_at")
        data = [
            {
                "name": name,
                "machine": one.name,
                "numbers": len(one.rows),
                **{key: getattr(one, key) for key in keys},
            }
            for name, one in found.items()
        ]
        modelled = [
            {"name": name, "machine": one.file.title, "storage_assumed": assumed_storage(one)}
            for name, one in models.items()
        ]
        print_json({"machines": data, "models": modelled})
        return
    rows = [
        [name, one.name, str(len(one.rows)), f"{one.source.split(',')[0]}, {one.created_at}"]
        for name, one in found.items()
    ]
    print_table(("name", "~machine", "numbers", "~printed by"), rows)
    if models:
        uses = [
            [name, one.file.title, "messages" if assumed_storage(one) else "files, messages"]
            for name, one in models.items()
        ]
        print_table(("model", "~machine", "for"), uses)


def _gather(benchmark: str | None) -> dict[str, Any]:
    """Benchmarks (only the named one, if any) with their options, back-ends, launchers, studies, figures,
    kinds of dumps."""
    import msgspec

    from weir.core.client import Core, find_core
    from weir.dumps.kind import dump_kinds
    from weir.launch.base import launcher_summaries
    from weir.questions.question import figure_names
    from weir.study.load import load_study, own_studies

    schema = Core(find_core()).schema()
    return {
        "core": {"version": schema.version, "build": schema.build},
        "benchmarks": [msgspec.to_builtins(chosen) for chosen in _chosen(schema, benchmark)],
        "backends": msgspec.to_builtins(schema.backends),
        "backends_left_out": msgspec.to_builtins(schema.backends_left_out),
        "launchers": [{"name": name, "summary": summary} for name, summary in launcher_summaries().items()],
        "studies": [
            {"name": name, "title": load_study(path).file.study.title} for name, path in own_studies().items()
        ],
        "figures": figure_names(),
        "dumps": [
            {"name": name, "what": kind.what, "picture": kind.help, "options": kind.flags()}
            for name, kind in dump_kinds().items()
        ],
    }


def _chosen(schema: Schema, name: str | None) -> list[Any]:
    if name is None:
        return list(schema.benchmarks)
    found = schema.benchmark(name)
    if found is None:
        known = [benchmark.name for benchmark in schema.benchmarks]
        raise WeirError(f"there is no benchmark '{name}'", "", did_you_mean(name, known))
    return [found]


def _show_overview(found: dict[str, Any]) -> None:
    """Print everything by name."""
    benchmarks = [
        [one["name"], count_words(len(one["options"]), "option"), one["summary"]]
        for one in found["benchmarks"]
    ]
    print_table(("benchmark", "", "~"), benchmarks)
    for heading, key, text in (
        ("back-end", "backends", "summary"),
        ("left out", "backends_left_out", "reason"),
        ("launcher", "launchers", "summary"),
        ("study", "studies", "title"),
    ):
        if found[key]:
            print_table((heading, "~"), [[entry["name"], entry[text]] for entry in found[key]])
    dumps = [[one["what"], one["picture"], " ".join(one["options"])] for one in found["dumps"]]
    print_table(("dump", "~`weir picture` draws", "~its options"), dumps)
    sys.stdout.write(f"figures: {', '.join(found['figures']) or 'none'}\n\n")
    sys.stdout.write("`weir list BENCHMARK` shows a benchmark's options.\n")


def _show_benchmark(benchmark: dict[str, Any]) -> None:
    """Print the options of a benchmark as a study writes them."""
    import msgspec

    from weir.core.front_options import front_of
    from weir.core.option import Option

    options = [msgspec.convert(option, Option) for option in benchmark["options"]]
    options += front_of(option.name for option in options)
    rows = [
        [one.group or "", one.name, one.type, _spell(one, one.default), _range(one), one.help]
        for one in options
    ]
    headings = ("group", "option", "type", "default", "~range", "~what it is")
    print_table(headings, rows, title=f"{benchmark['name']}: {benchmark['summary']}")


def _range(option: Option) -> str:
    if option.choices:
        return ", ".join(option.choices)
    match option.min, option.max:
        case None, None:
            return ""
        case low, None:
            return f"from {_spell(option, low)}"
        case None, high:
            return f"up to {_spell(option, high)}"
        case low, high:
            return f"{_spell(option, low)} … {_spell(option, high)}"


def _spell(option: Option, value: Any) -> str:
    from weir.study.values import spell_value

    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return spell_value(option, value)
