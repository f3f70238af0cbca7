"""Whether the storage and the memory of this machine suffice for the cases of a study."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from weir.core.schema import Description
from weir.errors import WeirError
from weir.machine.system import Space, disk_space
from weir.study.case import Case
from weir.units import format_bytes

_LESS_SPACE = "free some, or choose another --dir"
_FEWER_FILES = "remove files there, or ask for fewer"
_LESS_MEMORY = "choose a smaller transfer or fewer ranks"


@dataclass(frozen=True)
class Needs:
    """The most that any single case needs, and what there is; unknown is None."""

    disk_bytes: int | None
    memory_bytes: int | None
    free_disk_bytes: int | None
    free_memory_bytes: int | None
    files: int | None = None
    free_files: int | None = None

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return asdict(self)


def needs_of(
    cases: Sequence[Case], descriptions: Mapping[str, Description], directory: Path, *, keep: bool
) -> Needs:
    """What the cases need in that directory. Kept files add up; otherwise the greatest case counts."""
    totals = [descriptions[case.id].totals for case in cases]
    disks = [t.bytes_on_disk for t in totals if t.bytes_on_disk is not None]
    files = [t.files for t in totals if t.files is not None]
    memories = [descriptions[case.id].totals.memory_bytes_per_rank or 0 for case in cases]
    ranks = [case.ranks for case in cases]
    memory = max((per_rank * count for per_rank, count in zip(memories, ranks, strict=True)), default=None)
    return Needs(
        disk_bytes=(sum(disks) if keep else max(disks)) if disks else None,
        memory_bytes=memory,
        free_disk_bytes=free_disk(directory),
        free_memory_bytes=free_memory(),
        files=(sum(files) if keep else max(files)) if files else None,
        free_files=free_files(directory),
    )


def check_needs(needs: Needs, directory: Path) -> None:
    """Raises WeirError if storage or memory is known not to suffice."""
    for what, wanted, free, spell, advice in (
        (f"free space in '{directory}'", needs.disk_bytes, needs.free_disk_bytes, format_bytes, _LESS_SPACE),
        (f"free inodes in '{directory}'", needs.files, needs.free_files, str, _FEWER_FILES),
        ("free memory", needs.memory_bytes, needs.free_memory_bytes, format_bytes, _LESS_MEMORY),
    ):
        if wanted is not None and free is not None and wanted > free:
            raise WeirError(
                f"not enough {what}",
                f"the largest case needs {spell(wanted)}, and {spell(free)} are free",
                advice,
            )


def free_disk(directory: Path) -> int | None:
    """Bytes that this user may still write there; None if that cannot be told."""
    space = _space(directory)
    return space.available_bytes if space else None


def free_files(directory: Path) -> int | None:
    """Files that this user may still make there; None where the file system has no fixed number."""
    space = _space(directory)
    return space.inodes_free if space else None


def _space(directory: Path) -> Space | None:
    try:
        return disk_space(directory)
    except OSError:
        return None


def free_memory(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Bytes of memory that programs can still take, by the kernel's own estimate (MemAvailable, proc(5))."""
    try:
        for line in meminfo.read_text().splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None
