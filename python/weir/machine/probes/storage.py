"""The file system measured, with its stripes on a parallel one, the other ones that matter, and the block
device below."""

from pathlib import Path

from weir.machine.card import Section, System, chosen_of, probe
from weir.machine.mount_table import NOT_STORAGE, Mount, mount_of, parse_mounts
from weir.machine.striping.base import stripings

OTHER_MOUNTS_AT_MOST = 12


@probe("file_system")
def file_system(system: System) -> Section | None:
    """The mount of the measured directory: type, options, space in bytes, and its `nature`."""
    mount = mount_of(system.directory, parse_mounts(system.read("/proc/self/mountinfo")))
    return _describe(mount, system, system.directory) if mount else None


@probe("mounts")
def mounts(system: System) -> Section:
    """Mounts that hold files, the measured one included; at most twelve."""
    found = [m for m in parse_mounts(system.read("/proc/self/mountinfo")) if m.type not in NOT_STORAGE]
    visible = {mount.point: mount for mount in found}
    files = [m for m in visible.values() if not (m.nature == "memory" and "ro" in m.options)]
    return {
        "shown": [_describe(m, system, Path(m.point)) for m in files[:OTHER_MOUNTS_AT_MOST]],
        "all": len(files),
    }


def _describe(mount: Mount, system: System, path: Path) -> Section:
    found: Section = {
        "mount_point": mount.point,
        "type": mount.type,
        "source": mount.source,
        "nature": mount.nature,
        "options": list(mount.options),
        "total_bytes": None,
        "available_bytes": None,
        "inodes_free": None,
    }
    try:
        space = system.space(path)
    except OSError:
        return found
    return found | {
        "total_bytes": space.total_bytes,
        "available_bytes": space.available_bytes,
        "inodes_free": space.inodes_free,
    }


@probe("block_device")
def block_device(system: System) -> Section | None:
    """Queue settings of the device below the measured directory; null where there is none, as for network
    mounts.

    Source: Linux Documentation/ABI/stable/sysfs-block.
    """
    mount = mount_of(system.directory, parse_mounts(system.read("/proc/self/mountinfo")))
    if mount is None or mount.nature != "local":
        return None
    place = _device_folder(mount, system)
    if place is None:
        return None
    queue = {name: system.read_or_none(f"{place}/queue/{name}") for name in system.entries(f"{place}/queue")}
    return {
        "name": Path(place).name,
        "model": system.read_or_none(f"{place}/device/model"),
        "size_bytes": _times(system.read_or_none(f"{place}/size"), 512),
        "rotational": {"0": False, "1": True}.get(queue.get("rotational") or ""),
        "scheduler": chosen_of(queue.get("scheduler")) or queue.get("scheduler"),
        "write_cache": queue.get("write_cache"),
        "max_request_bytes": _times(queue.get("max_sectors_kb"), 1024),
        "read_ahead_bytes": _times(queue.get("read_ahead_kb"), 1024),
        "queue_depth": _times(queue.get("nr_requests"), 1),
        "logical_block_bytes": _times(queue.get("logical_block_size"), 1),
    }


def _device_folder(mount: Mount, system: System) -> str | None:
    # Some file systems (btrfs, overlay) have a device number of their own; then only the source tells the
    # device.
    candidates = [f"/sys/dev/block/{mount.device}"]
    if mount.source.startswith("/dev/"):
        candidates.append(f"/sys/class/block/{Path(mount.source).name}")
    for candidate in candidates:
        if not (system.root / candidate.lstrip("/")).exists():
            continue
        folder = (system.root / candidate.lstrip("/")).resolve()
        # A partition has no queue of its own: its disk is the folder above.
        disk = folder if (folder / "queue").exists() else folder.parent
        return "/" + str(disk.relative_to(system.root.resolve()))
    return None


def _times(text: str | None, factor: int) -> int | None:
    return int(text) * factor if text and text.isdigit() else None


@probe("stripe")
def stripe(system: System) -> Section | None:
    """What the file system's own program says of the stripes of new files, as text, and what can be read out
    of it; null where the file system has none."""
    mount = mount_of(system.directory, parse_mounts(system.read("/proc/self/mountinfo")))
    kind = stripings().get(mount.type) if mount else None
    if mount is None or kind is None:
        return None
    return kind(system.run).look(system.directory, mount).as_data()
