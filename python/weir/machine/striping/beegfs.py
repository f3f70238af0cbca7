"""BeeGFS: chunks over storage targets, by `beegfs` (8) or `beegfs-ctl` (7)."""

import re
from pathlib import Path

from weir.errors import WeirError
from weir.machine.mount_table import Mount
from weir.machine.striping.base import Reading, Stripes, Striping, striping
from weir.units import parse_bytes

_COUNT = re.compile(r"Number of storage targets: desired:\s*(\d+)(?:; actual:\s*(\d+))?")
_CHUNK = re.compile(r"Chunksize:\s*(\d+)\s*([KMGTkmgt]?)(?:i?B)?(?=\s|$)")
_KIB = 1 << 10


@striping("beegfs")
class BeeGfs(Striping):
    """`beegfs entry info|set`, or `beegfs-ctl --getentryinfo|--setpattern`."""

    called = "BeeGFS"

    def look(self, path: Path, mount: Mount) -> Reading:
        """The long form of both, which is the same."""
        command, text = self._try(
            [
                ["beegfs", "entry", "info", "--retro", str(path)],
                ["beegfs-ctl", "--getentryinfo", str(path)],
            ]
        )
        return Reading(" ".join(command[:-1]), text.strip(), stripes_in(text))

    def set(self, directory: Path, asked: Stripes) -> None:
        """Chunks are powers of two from 64 KiB; BeeGFS refuses others."""
        count = [str(asked.count)] if asked.count is not None else []
        size = [f"{asked.bytes // _KIB}K"] if asked.bytes is not None else []
        new = [f"--num-targets={one}" for one in count] + [f"--chunk-size={one}iB" for one in size]
        old = [f"--numtargets={one}" for one in count] + [f"--chunksize={one}" for one in size]
        self._change(
            [
                ["beegfs", "entry", "set", *new, str(directory)],
                ["beegfs-ctl", "--setpattern", *old, str(directory)],
            ]
        )


def stripes_in(text: str) -> Stripes:
    """Of a file the targets that it really has, of a directory those that its files are to have."""
    count, chunk = _COUNT.search(text), _CHUNK.search(text)
    return Stripes(
        int(count[2] or count[1]) if count else None, _bytes(chunk[1], chunk[2]) if chunk else None
    )


def _bytes(number: str, unit: str) -> int | None:
    try:
        return parse_bytes(f"{number}{unit.upper()}iB" if unit else f"{number}B")
    except WeirError:
        return None
