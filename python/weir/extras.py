"""Packages that are not installed with Weir's base: how to get them."""

from weir.errors import WeirError


def how_to_install(extra: str) -> str:
    """What to type to get the packages of an extra of pyproject.toml: no index of packages has Weir, which is
    installed from its checkout into the environment that scripts/setup makes there."""
    return f"in Weir's checkout: .venv/bin/pip install -e '.[{extra}]'"


def lacking(package: str, extra: str, problem: str) -> WeirError:
    """The error that something is not possible without a package of this extra."""
    return WeirError(
        problem, f"the package {package} is not installed", f"install it, {how_to_install(extra)}"
    )
