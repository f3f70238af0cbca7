"""Submissions that nobody made, in the formats of IO500: the one until 2019 and the one since."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

RATES: dict[str, float] = {
    "ior-easy-write": 12.5,
    "mdtest-easy-write": 119.113150,
    "ior-hard-write": 0.75,
    "mdtest-hard-write": 66.5,
    "find": 2872.0,
    "ior-easy-read": 25.0,
    "mdtest-easy-stat": 415.0,
    "ior-hard-read": 3.0,
    "mdtest-hard-stat": 305.0,
    "mdtest-easy-delete": 96.0,
    "mdtest-hard-read": 114.0,
    "mdtest-hard-delete": 58.0,
}
"""GiB/s and kIOPS."""


def summary(rates: Mapping[str, float] | None = None, *, invalid: tuple[str, ...] = ()) -> str:
    """`result_summary.txt` of today."""
    lines = ["IO500 version io500-sc25 (standard)"]
    for name, value in (RATES if rates is None else rates).items():
        unit = "GiB/s" if name.startswith("ior") else "kIOPS"
        mark = " [INVALID]" if name in invalid else ""
        lines.append(f"[RESULT] {name:>20} {value:15.6f} {unit} : time 301.250 seconds{mark}")
    lines.insert(3, "[      ]            timestamp        0.000000 kIOPS : time 0.000 seconds")
    lines.append("[      ]  ior-rnd4K-easy-read       0.400000 GiB/s : time 300.000 seconds")
    mark = " [INVALID]" if invalid else ""
    lines.append(f"[SCORE ] Bandwidth 5.1 GiB/s : IOPS 170.0 kiops : TOTAL 29.4{mark}")
    return "\n".join(lines) + "\n"


def old_summary(rates: Mapping[str, float] = RATES) -> str:
    """The same until 2019, in which GB/s were GiB/s."""
    lines = []
    for name, value in rates.items():
        kind, unit = ("BW  ", "GB/s") if name.startswith("ior") else ("IOPS", "kiops")
        number, phase = 1, name.replace("-", "_")
        lines.append(f"[RESULT] {kind} phase {number} {phase:>25} {value:20.3f} {unit} : time  33.60 seconds")
    return "\n".join([*lines, "[SCORE] Bandwidth 5.1 GB/s : IOPS 170.0 kiops : TOTAL 29.4"]) + "\n"


def ior(*, nodes: int | None, tasks: int, per_node: int, api: str = "POSIX") -> str:
    """What IOR says of its clients; until 2019 it did not count the nodes."""
    counted = f"nodes               : {nodes}\n" if nodes else ""
    return (
        f"Options: \napi                 : {api}\ntask offset         : 1\n{counted}"
        f"tasks               : {tasks}\nclients per node    : {per_node}\n"
    )


def submit(
    folder: Path,
    text: str,
    *,
    clients: str = "",
    result: str = "",
    place: str = "results/2025.05.03-09.25.44",
) -> Path:
    """A submission with that summary, and what IOR and IO500 printed beside it."""
    beside = folder / place
    beside.mkdir(parents=True, exist_ok=True)
    (beside / "result_summary.txt").write_text(text)
    for name, content in (("ior-easy-write.txt", clients), ("result.txt", result)):
        if content:
            (beside / name).write_text(content)
    return beside
