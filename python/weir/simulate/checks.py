"""What the values of a machine cannot be together."""

from collections.abc import Mapping
from dataclasses import dataclass

from weir.simulate.kinds import Base
from weir.simulate.schema import KEYS, Path
from weir.toml.source import Source


@dataclass(frozen=True)
class AtMost:
    """One key is at most another one, which is what there is of it; `since`: why."""

    key: Path
    limit: Path
    since: str


TARGETS = ("storage", "targets", "count")
RULES = (
    AtMost(("storage", "stripes"), TARGETS, "a file has a target once"),
    AtMost(("storage", "most_stripes"), TARGETS, "a file has a target once"),
    AtMost(("storage", "stripes"), ("storage", "most_stripes"), "no file has more"),
    AtMost(("storage", "servers", "count"), TARGETS, "a server without a target does nothing"),
    AtMost(("network", "bandwidth"), ("network", "link"), "a message goes through its node's link"),
    AtMost(("storage", "cache"), ("nodes", "memory"), "it lies in the node's memory"),
    AtMost(("storage", "read_cache"), ("nodes", "memory"), "it lies in the node's memory"),
)


def check(values: Mapping[Path, Base], source: Source) -> None:
    """Raises WeirError, with the line, where a value is impossible beside another one."""
    for rule in RULES:
        one, most = values.get(rule.key), values.get(rule.limit)
        if isinstance(one, int | float) and isinstance(most, int | float) and one > most:
            spell = KEYS[rule.key].kind.spell
            name, limit = ".".join(rule.key), ".".join(rule.limit)
            example = KEYS[rule.key].shown(spell(most))
            raise source.error(
                rule.key,
                f"{name} is {spell(one)}, and {limit} is {spell(most)}",
                rule.since,
                f"write for example {rule.key[-1]} = {example}",
            )
