"""The kernel's table of mounts, and which of them a path lies on."""

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"})
NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "afs", "fuse.sshfs", "vboxsf"})
PARALLEL = frozenset(
    {
        "lustre", "gpfs", "beegfs", "panfs", "pvfs2", "ceph", "fuse.ceph", "wekafs", "fuse.glusterfs", "daos",
        "fuse.daos",
    }
)  # fmt: skip
NOT_STORAGE = frozenset(
    {
        "proc", "sysfs", "devpts", "cgroup", "cgroup2", "securityfs", "debugfs", "tracefs", "pstore", "bpf",
        "mqueue", "configfs", "fusectl", "autofs", "binfmt_misc", "nsfs", "rpc_pipefs", "efivarfs",
        "devtmpfs", "hugetlbfs",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Mount:
    """One line of /proc/self/mountinfo; `device` is "major:minor"."""

    point: str
    type: str
    source: str
    options: tuple[str, ...]
    device: str

    @property
    def nature(self) -> str:
        """`memory`, `network`, `parallel` or `local`: what its bandwidth is bandwidth of."""
        for name, types in (("memory", IN_MEMORY), ("network", NETWORK), ("parallel", PARALLEL)):
            if self.type in types:
                return name
        return "local"


def parse_mounts(text: str) -> list[Mount]:
    """All mounts, in mounting order; raises ValueError. Source: man 5 proc_pid_mountinfo."""
    mounts = []
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        fields, (kind, source, *super_options) = before.split(), after.split()
        options = fields[5].split(",") + (super_options[0].split(",") if super_options else [])
        mounts.append(Mount(_unescape(fields[4]), kind, _unescape(source), _unique(options), fields[2]))
    return mounts


def mount_of(path: Path, mounts: list[Mount]) -> Mount | None:
    """The mount that holds `path` (absolute, without links); of several on one point the last hides the
    others.
    """
    place = PurePosixPath(path)
    holding = [mount for mount in mounts if place.is_relative_to(mount.point)]
    deepest = max((len(PurePosixPath(mount.point).parts) for mount in holding), default=0)
    return next((m for m in reversed(holding) if len(PurePosixPath(m.point).parts) == deepest), None)


def _unique(options: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(options))


def _unescape(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match.group(1), 8)), text)
