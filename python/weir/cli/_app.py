"""Makes one program of the verbs found in this package."""

import functools
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperGroup

import weir
import weir.cli
from weir.cli._errors import exit_code_of
from weir.errors import WeirError
from weir.handed.takes import Takes

Command = Callable[..., Any]


def build_app() -> typer.Typer:
    """The program with all its verbs."""
    app = typer.Typer(
        name="weir",
        cls=_InOrder,
        help="Measure, explain, predict and improve how data flows through parallel machines.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # rich would double the time that `weir --help` takes
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_global_options)
    _add_verbs(app, weir.cli)
    return app


_DUMPS = "`weir show FILE` and `weir picture FILE` take dumps of every kind"
FORMER = {
    "aquifer": f"{_DUMPS}, and `weir export FILE... --format xdmf` describes them for ParaView",
    "cloud": _DUMPS,
    "flash": _DUMPS,
    "mimic": "`weir predict PATTERN --parameters` prints what it printed",
}
"""Verbs that are gone, and what does their work."""


class _InOrder(TyperGroup):
    """Lists verbs with commands among the others; Typer would list them last. Names what took a verb's
    place."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if ctx.parent is None and args[0] in FORMER and not ctx.resilient_parsing:
            gone = WeirError(f"there is no `weir {args[0]}` any more", "", FORMER[args[0]])
            raise typer.Exit(exit_code_of(gone, as_json=False))
        return super().resolve_command(ctx, args)


def _add_verbs(app: typer.Typer, package: ModuleType) -> None:
    """Every verb of the package, in the order of the alphabet; a package in it is a verb with commands."""
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        if found.name.startswith("_") or found.name == "main":
            continue
        name = found.name.replace("_", "-")
        loaded = importlib.import_module(f"{package.__name__}.{found.name}")
        if found.ispkg:
            group = typer.Typer(
                cls=_InOrder, help=loaded.__doc__, no_args_is_help=True, rich_markup_mode=None
            )
            _add_verbs(group, loaded)
            app.add_typer(group, name=name)
        else:
            settings = getattr(loaded.command, "context_settings", None)
            app.command(name, context_settings=settings)(_guarded(loaded.command, _words(loaded)))


def _words(module: ModuleType) -> str:
    """What a person writes: "cloud picture"."""
    return module.__name__.removeprefix(f"{weir.cli.__name__}.").replace(".", " ").replace("_", "-")


LATEST = "latest"


def _latest(takes: Takes, value: Any) -> Any:
    """The run that was made last here, where a verb that takes runs is handed that word and no such file."""
    if isinstance(value, list):
        return [_latest(takes, one) for one in value]
    if "run" not in takes.names or str(value) != LATEST or os.path.lexists(LATEST):
        return value
    from weir.store.runs_here import latest_run

    return latest_run()


def _guarded(command: Command, verb: str) -> Command:
    """The verb, which is handed nothing but what it takes, with every error turned into one message and its
    exit code."""
    taken = _taken(command)

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            options = {name: _no_option(value) for name, value in options.items()}
            options |= {name: _latest(takes, options.get(name)) for name, takes in taken.items()}
            for name, takes in taken.items():
                takes.check(verb, _as_words(options.get(name)))
            code = command(*arguments, **options)
            sys.stdout.flush()
        except BaseException as error:
            code = exit_code_of(error, as_json=bool(options.get("json")))
        raise typer.Exit(int(code or 0))

    run.takes = taken  # type: ignore[attr-defined] # for whoever looks at the verbs
    return run


def _no_option(value: Any) -> Any:
    """Paths that a program or a reader of advice would take for an option, as whole ones: pathlib takes the
    `./` from `./-name`. A "-" alone is standard input or output."""
    if isinstance(value, list):
        return [_no_option(one) for one in value]
    is_one = isinstance(value, Path) and len(value.parts) > 0 and value.parts[0].startswith("-")
    return value.absolute() if is_one and value != Path("-") else value


def _taken(command: Command) -> dict[str, Takes]:
    """What each argument takes, of those that say so."""
    hints = get_type_hints(command, include_extras=True)
    marks = {
        name: [one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Takes)]
        for name, hint in hints.items()
    }
    return {name: found[0] for name, found in marks.items() if found}


def _as_words(value: Any) -> list[str]:
    """Of one path, or of several."""
    if value is None:
        return []
    return [os.fspath(one) for one in value] if isinstance(value, list) else [os.fspath(value)]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"weir {weir.__version__}")
        raise typer.Exit


def _global_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass
