"""How many cores there are for ranks."""

import os
from pathlib import Path

_TOPOLOGY = Path("/sys/devices/system/cpu")


def usable_cores(topology: Path = _TOPOLOGY) -> int:
    """Physical cores that this process may use: hardware threads of one core count once."""
    allowed = os.sched_getaffinity(0)
    cores = set()
    for cpu in allowed:
        try:
            cores.add((topology / f"cpu{cpu}/topology/core_cpus_list").read_text().strip())
        except OSError:
            cores.add(f"cpu{cpu}")
    return len(cores)
