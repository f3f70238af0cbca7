"""Puts the verbs found in this package together to one program."""

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

import weir
import weir.cli
from weir.cli._errors import exit_code_of

Command = Callable[..., Any]


def verbs() -> Iterator[tuple[str, Command]]:
    """Name and function of every verb, in the order of the alphabet."""
    for module in sorted(pkgutil.iter_modules(weir.cli.__path__), key=lambda found: found.name):
        if module.name.startswith("_") or module.name == "main":
            continue
        loaded = importlib.import_module(f"weir.cli.{module.name}")
        yield module.name.replace("_", "-"), loaded.command


def build_app() -> typer.Typer:
    """The program with all its verbs."""
    app = typer.Typer(
        name="weir",
        help="Measure, explain, predict and improve how data flows through parallel machines.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # rich would double the time that `weir --help` takes
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_global_options)
    for name, command in verbs():
        app.command(name, context_settings=getattr(command, "context_settings", None))(_guarded(command))
    return app


def _guarded(command: Command) -> Command:
    """The verb, with every error turned into one message and its exit code."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            code = command(*arguments, **options)
        except BaseException as error:
            code = exit_code_of(error, as_json=bool(options.get("json")))
        raise typer.Exit(int(code or 0))

    return run


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
