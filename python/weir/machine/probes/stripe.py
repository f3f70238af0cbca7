"""How a parallel file system spreads the measured directory over its servers."""

from __future__ import annotations

import re

from weir.machine.card import Section, probe
from weir.machine.mount_table import mount_of, parse_mounts
from weir.machine.system import System

COMMANDS = {
    "lustre": ["lfs", "getstripe", "-d"],
    "gpfs": ["mmlsattr", "-L"],
    "beegfs": ["beegfs-ctl", "--getentryinfo"],
}
NUMBERS = {
    "stripe_count": r"(?:stripe_count:|Number of storage targets: desired:)\s*(-?\d+)",
    "stripe_bytes": r"stripe_size:\s*(\d+)",
}


@probe("stripe")
def stripe(system: System) -> Section | None:
    """What the file system's own program says, as text, and count and size where they can be read out of
    it.
    """
    mount = mount_of(system.directory, parse_mounts(system.read("/proc/self/mountinfo")))
    if mount is None or mount.type not in COMMANDS:
        return None
    command = [*COMMANDS[mount.type], str(system.directory)]
    text = system.run(command)
    found: Section = {"command": " ".join(command[:-1]), "text": text.strip()}
    for key, pattern in NUMBERS.items():
        match = re.search(pattern, text)
        found[key] = int(match.group(1)) if match else None
    return found
