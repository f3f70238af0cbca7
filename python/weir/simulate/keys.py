"""How a key of a machine model is declared: once, for parser, refusals, simulator and reference."""

from dataclasses import dataclass

from weir.simulate.kinds import Kind

NEEDED, NONE = "", "nothing"

TIMES = " x "
"""Between keys of a default."""


@dataclass(frozen=True)
class Key:
    """Stands in the annotation of a field. `default`: text in the unit of the kind, other keys and their
    product ("nodes.copy x nodes.ranks"), NONE for nothing, NEEDED for no default."""

    kind: Kind
    means: str
    default: str = NEEDED
    example: str = ""

    @property
    def examples(self) -> tuple[str, ...]:
        """What is shown where the key is missing or wrong, as TOML."""
        return (self.shown(self.example or self.kind.example),)

    @staticmethod
    def shown(text: str) -> str:
        """That value, with a source, as TOML."""
        value = text if text.isdigit() else f'"{text}"'
        return f'{{ value = {value}, source = "paper: section 2.1" }}'
