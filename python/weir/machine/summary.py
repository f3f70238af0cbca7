"""A machine in six lines."""

from collections.abc import Mapping, Sequence
from typing import Any

from weir.machine.describe import Fact
from weir.units import count_words, format_bytes

NAMED = 8
"""Nodes; of more, the rest is counted."""


def machine_summary(
    card: Mapping[str, Any], *, storage: bool = True, nodes: Sequence[str] = ()
) -> tuple[Fact, ...]:
    """The machine card in six facts at most; those that no probe found are left out. `nodes`: the hosts of
    the ranks, which the card of one of them stands for."""
    host, cpu, mpi = (card.get(name) or {} for name in ("host", "cpu", "mpi"))
    memory, system, device = (card.get(name) or {} for name in ("memory", "file_system", "block_device"))
    counts = [
        count_words(cpu[key], noun)
        for key, noun in (("sockets", "socket"), ("cores", "core"))
        if cpu.get(key)
    ]
    total, free = memory.get("total_bytes"), system.get("available_bytes")
    stored = [
        system.get("type"),
        device.get("name"),
        f"{format_bytes(free)} free" if free is not None else "",
    ]
    facts = (
        _where(host, nodes),
        ("processor", ", ".join(filter(None, [cpu.get("model"), *counts]))),
        ("memory", format_bytes(total) if total else ""),
        ("storage", ", ".join(filter(None, stored)) if storage else ""),
        ("MPI", (mpi.get("library") or "").partition(",")[0]),
        ("system", ", ".join(filter(None, [host.get("os"), host.get("kernel")]))),
    )
    return tuple(Fact(label, value) for label, value in facts if value)


def _where(host: Mapping[str, Any], nodes: Sequence[str]) -> tuple[str, str]:
    names = list(dict.fromkeys(nodes))
    kind = ["virtual"] if host.get("virtual") else []
    if names in ([], [host.get("name")]):
        return "host", ", ".join(filter(None, [host.get("name"), *kind]))
    more = [f"{len(names) - NAMED:,} more"] if len(names) > NAMED else []
    return "nodes" if len(names) > 1 else "node", ", ".join([*names[:NAMED], *more, *kind])
