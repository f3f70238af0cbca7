"""The simulator and SimGrid say the same of messages, within 1 %.

What SimGrid said is kept beside, so that the simulator is held to it everywhere; where SimGrid is installed,
it is asked again. Left out are many rounds of equal messages through a bisection: which of those that end
together is the first changes what follows, and two exact simulators are 10 % apart.

`python test_simgrid.py` writes the file of what it says.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from simulate.functions.messages import rounds_of
from weir.core.client import Core, find_core
from weir.pattern import Pattern, Step, phase_of
from weir.simulate.functions import Call, pattern_of
from weir.simulate.functions._rounds import rounds, sends
from weir.simulate.result import Simulation

HERE = Path(__file__).parent
KEPT = HERE / "simgrid.json"
WITHIN = 0.01
LINK, LATENCY, SIZE = 1e8, 1e-3, 1 << 20
"""Of the nodes; of a message, long enough for SimGrid's steps of 1e-5 s."""


@dataclass(frozen=True)
class Case:
    """Rounds of messages on so many nodes of a rank each; `half`: what passes between the halves in each
    direction, in links."""

    ranks: int
    steps: list[Step]
    half: float = 0.0

    @property
    def bisection(self) -> float | None:
        """In bytes/s; null where all can pass."""
        return self.half * LINK or None


def random_pairs(ranks: int, each: int, sizes: tuple[int, ...]) -> list[Step]:
    """Messages between random ranks, of random sizes, all at once."""
    random = Random(ranks)
    found: list[Step] = []
    for one in range(ranks):
        for other in random.sample([rank for rank in range(ranks) if rank != one], each):
            found += sends([(one, other)], random.choice(sizes))
    return found


def called(name: str, ranks: int, size: int = SIZE) -> list[Step]:
    return pattern_of(name, Call(ranks, size)).phases[0].steps


def gathered(ranks: int) -> list[Step]:
    """All send to rank 0 at once."""
    return [one for rank in range(1, ranks) for one in sends([(rank, 0)], SIZE)]


def on_a_link(count: int) -> list[Step]:
    """One rank sends to so many at once."""
    return [one for to in range(count) for one in sends([(9, 20 + to)], SIZE)]


def one_after_another(ranks: int) -> list[Step]:
    """Random pairs, and others, and others: ranks come to the later ones at different times."""
    return rounds(random_pairs(ranks, each, (SIZE // 8, SIZE, 3 * SIZE)) for each in (2, 1, 3))


SIZES = (SIZE // 4, SIZE, SIZE * 5 // 2)
CASES: dict[str, Callable[[], Case]] = {
    "one message": lambda: Case(64, sends([(3, 40)], SIZE)),
    "eight messages on a link": lambda: Case(64, on_a_link(8)),
    "gather, 64": lambda: Case(64, gathered(64)),
    "gather, 1024": lambda: Case(1024, gathered(1024)),
    "random pairs, 64": lambda: Case(64, random_pairs(64, 3, SIZES)),
    "random pairs, 64, a bisection": lambda: Case(64, random_pairs(64, 3, SIZES), 8),
    "random pairs, 1024": lambda: Case(1024, random_pairs(1024, 3, SIZES)),
    "random pairs, 1024, a bisection": lambda: Case(1024, random_pairs(1024, 2, SIZES), 100),
    "pairs after pairs, 128": lambda: Case(128, one_after_another(128)),
    "pairs after pairs, 128, a bisection": lambda: Case(128, one_after_another(128), 20),
    "ring, 1024": lambda: Case(1024, called("NaturalRing", 1024)),
    "random ring, 64": lambda: Case(64, called("RandomRing", 64)),
    "random ring, 1024": lambda: Case(1024, called("RandomRing", 1024)),
    "random ring, 1024, a bisection": lambda: Case(1024, called("RandomRing", 1024), 50),
    "alltoall, 64": lambda: Case(64, called("Alltoall", 64)),
    "alltoall, 32 at once, 64, a bisection": lambda: Case(64, called("Alltoall", 64, SIZE // 32), 10),
    "allreduce, 100": lambda: Case(100, called("Allreduce", 100)),
    "broadcast, 256": lambda: Case(256, called("Bcast", 256, SIZE // 8)),
    "barrier, 200": lambda: Case(200, called("Barrier", 200)),
}  # fmt: skip


def by_weir(case: Case) -> float:
    """Seconds by the simulator."""
    network = {
        "latency_s": LATENCY,
        "link_bytes_per_s": LINK,
        "bandwidth_bytes_per_s": LINK,
        "bisection_bytes_per_s": case.bisection,
    }
    machine = {
        "name": "star",
        "nodes": {"count": case.ranks, "ranks": 1},
        "network": {key: value for key, value in network.items() if value is not None},
        "storage": {
            "stripe_bytes": SIZE,
            "stripes": 1,
            "servers": {"count": 1, "link_bytes_per_s": LINK},
            "targets": {"count": 1, "read_bytes_per_s": LINK, "write_bytes_per_s": LINK, "request_s": 0},
            "metadata": {"open_s": 0},
        },
    }
    phases = [phase_of("messages", case.steps)]
    pattern = Pattern(weir_pattern=1, name="messages", ranks=case.ranks, files=[], phases=phases)
    asked = {"machine": machine, "pattern": msgspec.to_builtins(pattern)}
    return Core(find_core()).simulate(asked, Simulation).phases[0].time_s


@cache
def python_with_simgrid() -> str | None:
    """One that can import it: this one, or the system's own."""
    for word in (sys.executable, "/usr/bin/python3", shutil.which("python3")):
        if (
            word
            and not subprocess.run(
                [word, "-c", "import simgrid"], capture_output=True, check=False
            ).returncode
        ):
            return word
    return None


def by_simgrid(case: Case) -> dict[str, Any]:
    """Seconds, and its version."""
    python = python_with_simgrid()
    assert python
    asked = {
        "nodes": case.ranks,
        "link": LINK,
        "latency": LATENCY,
        "bisection": case.bisection,
        "rounds": rounds_of(case.steps),
    }
    command = [python, str(HERE / "on_simgrid.py")]
    told = subprocess.run(command, input=json.dumps(asked).encode(), capture_output=True, check=True)
    answer: dict[str, Any] = json.loads(told.stdout)
    return answer


@pytest.mark.parametrize("name", CASES)
def test_the_simulator_says_what_simgrid_said(name: str) -> None:
    kept = json.loads(KEPT.read_text())
    assert by_weir(CASES[name]()) == pytest.approx(kept["seconds"][name], rel=WITHIN), kept["version"]


@pytest.mark.parametrize("name", [name for name in CASES if "1024" not in name])
def test_simgrid_says_what_it_said(name: str) -> None:
    if not python_with_simgrid():
        pytest.skip("no Python here has SimGrid's module (Debian: python3-simgrid)")
    kept = json.loads(KEPT.read_text())["seconds"][name]
    assert by_simgrid(CASES[name]())["seconds"] == pytest.approx(kept, rel=WITHIN)


if __name__ == "__main__":
    found = {name: by_simgrid(make()) for name, make in CASES.items()}
    versions = {one["version"] for one in found.values()}
    said = {name: one["seconds"] for name, one in found.items()}
    KEPT.write_text(json.dumps({"version": f"SimGrid {versions.pop()}", "seconds": said}, indent=2) + "\n")
