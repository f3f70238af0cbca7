"""Lustre: stripes over storage targets (OSTs), by `lfs`; a layout may have parts (PFL, data on MDT)."""

import re
from collections.abc import Iterator
from pathlib import Path

from weir.machine.mount_table import Mount
from weir.machine.striping.base import Part, Reading, Stripes, Striping, striping

_FIELD = re.compile(r"\b(?:lmm_)?(stripe_count|stripe_size|lcme_extent\.e_end):\s*(-?\d+|EOF)(?=\s|$)")
_END, _COUNT, _SIZE = "lcme_extent.e_end", "stripe_count", "stripe_size"


@striping("lustre")
class Lustre(Striping):
    """`lfs getstripe` and `lfs setstripe`, of 2.10 and later."""

    called = "Lustre"

    def look(self, path: Path, mount: Mount) -> Reading:
        """Of a directory its default (-d), not the layouts of its files."""
        command = ["lfs", "getstripe", *([] if path.is_file() else ["-d"])]
        text = self._run([*command, str(path)])
        parts = tuple(parts_in(text))
        last = parts[-1].stripes if parts else Stripes()
        return Reading(" ".join(command), text.strip(), last, parts if len(parts) > 1 else ())

    def set(self, directory: Path, asked: Stripes) -> None:
        """A plain layout, in the place of one with parts too."""
        options = ["-c", str(asked.count)] if asked.count is not None else []
        options += ["-S", str(asked.bytes)] if asked.bytes is not None else []
        self._change([["lfs", "setstripe", *options, str(directory)]])


def parts_in(text: str) -> Iterator[Part]:
    """The parts of a layout as `lfs getstripe` prints it, a plain one being one part; of several files,
    those of the first. A size of 0 is the file system's default, which is not told."""
    end: int | None = None
    found: dict[str, int] = {}
    for name, value in _FIELD.findall(text):
        number = None if value == "EOF" else int(value)
        if name == _END:
            end = number
        elif number is not None:
            found[name] = number
        if len(found) == len((_COUNT, _SIZE)):
            yield Part(end, Stripes(found[_COUNT], found[_SIZE] or None))
            if end is None:  # it goes to the end of the file
                return
            found = {}
