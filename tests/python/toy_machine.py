"""A machine model for tests."""

from pathlib import Path

from weir.simulate.find import load_machine
from weir.simulate.model import Machine

TOY = Path(__file__).parent / "simulate" / "toy.toml"


def toy() -> Machine:
    """Small: 16 nodes of 4 ranks, 8 targets."""
    return load_machine(TOY)
