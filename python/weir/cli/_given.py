"""Which options a person gave: some have no use beside others, or for what was named, and are refused."""

from collections.abc import Collection

import typer

from weir.errors import WeirError


def given_options(ctx: typer.Context) -> dict[str, str]:
    """The options on the command line, by their parameters' names, as a person writes them: `{"dry_run":
    "--dry-run"}`. One that is given with its default's value is among them."""
    sources = {one.name: ctx.get_parameter_source(one.name) for one in ctx.command.params if one.name}
    return {
        one.name: max(one.opts, key=len)
        for one in ctx.command.params
        if one.name
        and one.param_type_name == "option"
        and getattr(sources[one.name], "name", "") == "COMMANDLINE"
    }


def refuse_others(ctx: typer.Context, taken: Collection[str], problem: str, why: str) -> None:
    """Raises WeirError for options whose parameters are not among those `taken`; the problem has {} for
    them."""
    useless = [option for name, option in given_options(ctx).items() if name not in taken]
    if useless:
        words = _words(useless)
        raise WeirError(problem.format(words), why, f"leave {words} away")


def refuse_given(ctx: typer.Context, names: Collection[str], problem: str, why: str, advice: str) -> None:
    """Raises WeirError for options whose parameters are among these; the problem has {} for them."""
    useless = [option for name, option in given_options(ctx).items() if name in names]
    if useless:
        raise WeirError(problem.format(_words(useless)), why, advice)


def _words(options: list[str]) -> str:
    *others, last = options
    return f"{', '.join(others)} and {last}" if others else last
