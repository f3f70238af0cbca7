"""How a pattern uses a machine, as options of verbs and of data to fit give it."""

from typing import Any

import msgspec

from weir.simulate.model import Machine

OF_MACHINE = {
    "ranks_per_node": ("nodes", "ranks"),
    "stripes": ("storage", "stripes"),
    "stripe_bytes": ("storage", "stripe"),
}
"""Settings that a machine has, and where."""
METHODS = ("auto", "independent", "two-phase", "rank0")
CACHES = ("keep", "drop")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """0: as the machine or the method has it."""

    method: str = "auto"
    aggregators: int = 0
    ranks_per_node: int = 0
    stripes: int = 0
    stripe_bytes: int = 0
    read_group: int = 1
    write_group: int = 1
    cache: str = "keep"
    """Of the nodes, for what is read: "drop": it is in none of them."""

    @property
    def given(self) -> dict[str, Any]:
        """Those that are not the usual ones."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return {name: value for name, value in found.items() if value != getattr(USUAL, name)}

    @property
    def words(self) -> str:
        """The same for people: "method rank0, stripes 8"."""
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.given.items())

    def on(self, machine: Machine) -> dict[str, Any]:
        """All, those of the machine in the place of 0."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return {
            **found,
            **{name: found[name] or int(machine.number(*path)) for name, path in OF_MACHINE.items()},
        }


USUAL = Settings()
"""As the machine and the method have it."""
