"""A machine model for tests, and simulations on it."""

from pathlib import Path

from weir.simulate.find import load_machine
from weir.simulate.model import Machine
from weir.simulate.result import Operation, Phase, Resource, Simulation
from weir.simulate.simulate import Asked

TOY = Path(__file__).parent / "simulate" / "toy.toml"


def toy() -> Machine:
    """Small: 16 nodes of 4 ranks, 8 targets."""
    return load_machine(TOY)


def simulation(ranks: int = 4, time_s: float = 2.0, bottleneck: str = "targets") -> Simulation:
    """Of a phase that writes a MiB a rank, and one that reads them in half the time, on the toy."""
    size = ranks << 20
    write = Operation("write", ranks, size, ranks * time_s / 2, time_s / 2, ranks * time_s / 4)
    phases = (
        Phase("dump", time_s * 2 / 3, size, 0, (Operation("open", ranks, 0, 0.1, 0.1), write)),
        Phase("restart", time_s / 3, 0, size, (Operation("read", ranks, size, 1.0, 1.0),)),
    )
    resources = (
        Resource("targets", 8, 8 * 0.75 * time_s, 0.75 * time_s, 0.75),
        Resource("metadata servers", 1, 0.1 * time_s, 0.1 * time_s, 0.1),
    )
    return Simulation("toy", ranks, -(-ranks // 4), phases, resources, bottleneck, 10)


def faster_with_targets(machine: Machine, asked: Asked) -> Simulation:
    """A formula in place of the core: the time goes with the bandwidth of the targets, and with the opens."""
    moving_s = asked.ranks * (1 << 20) / machine.number("storage", "targets", "write")
    moving_s /= machine.number("storage", "targets", "count")
    opening_s = asked.ranks * machine.number("storage", "metadata", "open")
    bottleneck = "targets" if moving_s > opening_s else "metadata servers"
    return simulation(asked.ranks, moving_s + opening_s, bottleneck)
