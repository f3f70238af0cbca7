"""Storage Scale (GPFS): every file is spread over all disks of its pool, block by block, without a count."""

import os
import re
import subprocess
from pathlib import Path

from weir.machine.mount_table import Mount
from weir.machine.striping.base import ALL, Reading, Stripes, Striping, striping

_BLOCK = re.compile(r"^\s*-B\s+(\d+)\s", re.MULTILINE)


@striping("gpfs")
class Gpfs(Striping):
    """The block size, by `mmlsfs`; where users may not run that, or pools differ, by statfs."""

    called = "Storage Scale"
    can_set = False

    def look(self, path: Path, mount: Mount) -> Reading:
        """Of the file system: directories have no stripes of their own."""
        command = ["mmlsfs", mount.source.removeprefix("/dev/"), "-B"]
        try:
            text = self._run(command)
        except (OSError, subprocess.SubprocessError):
            text = ""
        sizes = set(_BLOCK.findall(text))
        if len(sizes) == 1:
            return Reading(" ".join(command), text.strip(), Stripes(ALL, int(sizes.pop())))
        return Reading("statfs", text.strip(), Stripes(ALL, os.statvfs(path).f_bsize))
