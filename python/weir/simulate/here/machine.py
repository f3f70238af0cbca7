"""From a run of the study `model` to the model of its machine."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from weir.errors import ExitCode, WeirError
from weir.report.gather import Contents
from weir.simulate.here.network import beside_messages, network_of
from weir.simulate.here.samples import STUDY, Cases, assumed, measured, rate
from weir.simulate.here.storage import storage_of
from weir.simulate.kinds import RATE
from weir.simulate.model import Machine, parse_machine
from weir.simulate.schema import MachineFile
from weir.simulate.write import legal_name, machine_text
from weir.store.run_directory import host_of
from weir.toml.source import Source

CROWDED = 4
"""Ranks for each processor of a node at most: a core runs several in turns."""


class _Memory(msgspec.Struct):
    total_bytes: int


class _Cpu(msgspec.Struct):
    usable: int
    model: str = "unknown processor"


class _FileSystem(msgspec.Struct):
    type: str


class _Device(msgspec.Struct):
    read_ahead_bytes: int | None = None


class _Card(msgspec.Struct):
    """What a model takes of the machine card."""

    memory: _Memory
    cpu: _Cpu
    file_system: _FileSystem
    block_device: _Device | None = None
    taken_at: str = ""


def machine_of(contents: Contents, run: Path, name: str) -> Machine:
    """The model of that run's machine. Raises WeirError where the run lacks what it takes."""
    card = _card_of(contents.machine, run)
    cases = Cases(contents.rows, str(run))
    called = legal_name(name or host_of(contents.machine))
    tree = {
        "name": called,
        "title": f"{card.cpu.model}, {card.file_system.type}, measured {card.taken_at[:10]}",
        "nodes": _nodes(cases, card),
        "network": network_of(cases),
        "storage": storage_of(
            cases, card.cpu.usable, card.memory.total_bytes, card.file_system.type, _read_ahead(card)
        ),
    }
    machine = Machine(msgspec.convert(tree, MachineFile), Source(str(run)))
    return parse_machine(machine_text(machine), str(run))


def _read_ahead(card: _Card) -> int | None:
    return card.block_device.read_ahead_bytes if card.block_device else None


def _nodes(cases: Cases, card: _Card) -> dict[str, Any]:
    cores = card.cpu.usable
    together = cases.of("together", "read", layout="file-per-process")
    system = "measured: as the system tells"
    return {
        "count": assumed(1, "one node was measured"),
        "ranks": assumed(CROWDED * cores, f"{CROWDED} on each core, which runs them in turns"),
        "processors": {"value": cores, "source": system},
        "memory": {"value": f"{card.memory.total_bytes} B", "source": system},
        "copy": measured(RATE, cases.of("memory", "read"), rate, "64 MiB read by 1 MiB from the page cache"),
        "copy_together": measured(RATE, together, rate, "the same of all cores, each its own file"),
        **beside_messages(cases),
    }


def _card_of(card: Mapping[str, Any], run: Path) -> _Card:
    try:
        return msgspec.convert(card, _Card)
    except msgspec.ValidationError as error:
        raise WeirError(
            f"'{run}' gives no model of its machine",
            f"its machine card is incomplete: {error}",
            f"make a run of the study that has one: weir run {STUDY}",
            ExitCode.NOTHING_SELECTED,
        ) from error
