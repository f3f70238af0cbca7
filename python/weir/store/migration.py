"""What rooms know of samples that older cores wrote: a function under `@migration(NAME)` in a module
`migrations` of a room."""

from collections.abc import Callable
from functools import cache
from typing import Any

from weir.registry import Registry

Migration = Callable[[dict[str, Any]], dict[str, Any]]
"""From a `sample` line of today's schema that lacks what was added since, to one that has it; the line itself
where it is of no benchmark of the room."""

_migrations = Registry[Migration]("migrations", "migration")


def migration(name: str) -> Callable[[Migration], Migration]:
    """Registers one."""
    return _migrations.register(name)


def completed(line: dict[str, Any]) -> dict[str, Any]:
    """The line with what its metrics did not say when it was written, where a room knows it."""
    metrics = line.get("metrics")
    if not isinstance(metrics, list) or all(isinstance(one, dict) and "decimal" in one for one in metrics):
        return line
    for migrate in _all():
        line = migrate(line)
    return line


@cache
def _all() -> tuple[Migration, ...]:
    return tuple(_migrations.all().values())
