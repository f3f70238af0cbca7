"""Packages that are not installed with Weir's base: how to get them."""


def how_to_install(extra: str) -> str:
    """What to type to get the packages of an extra of pyproject.toml: no index of packages has Weir, which is
    installed from its checkout into the environment that scripts/setup makes there."""
    return f"in Weir's checkout: .venv/bin/pip install -e '.[{extra}]'"
