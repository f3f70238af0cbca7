"""Warnings about the file system measured."""

from weir.machine.rules import Card, Warning_, rule, warn

FULL_SHARE = 0.10
LITTLE_SPACE_BYTES = 4 << 30


@rule("in-memory")
def in_memory(card: Card) -> Warning_ | None:
    """The directory lies in memory."""
    system = card["file_system"]
    if system["nature"] != "memory":
        return None
    return warn(
        f"{card['directory']} lies in memory ({system['type']})",
        "there is no device below it: all numbers are those of memory, and dropping caches does nothing",
        "measure a directory on the storage that matters: weir doctor DIR",
    )


@rule("network-file-system")
def network(card: Card) -> Warning_ | None:
    """The directory comes over a network that this machine shares."""
    system = card["file_system"]
    if system["nature"] != "network":
        return None
    return warn(
        f"{card['directory']} is a network file system ({system['type']} from {system['source']})",
        "others share the server and its cache, and dropping this machine's cache leaves the server's",
        "repeat at other times of day, and read bandwidths above the server's disks as its memory",
    )


@rule("nearly-full")
def nearly_full(card: Card) -> Warning_ | None:
    """Less than a tenth, or less than 4 GiB, is left."""
    system = card["file_system"]
    free, total = system["available_bytes"], system["total_bytes"]
    if free >= max(FULL_SHARE * total, LITTLE_SPACE_BYTES) or system["nature"] == "memory":
        return None
    return warn(
        f"{free / 2**30:.1f} GiB of {total / 2**30:.1f} GiB are free on {system['mount_point']}",
        "nearly full file systems find no long free stretches, and large cases may not fit",
        "free space, or measure a directory on another file system",
    )


@rule("sync-mount")
def sync_mount(card: Card) -> Warning_ | None:
    """Mounted so that every write is synchronous."""
    system = card["file_system"]
    if "sync" not in system["options"]:
        return None
    return warn(
        f"{system['mount_point']} is mounted with 'sync'",
        "every write waits for the device, whatever the benchmark asks for",
        "read unsynced writes as synced ones, or mount without 'sync'",
    )


@rule("volatile-write-cache")
def volatile_write_cache(card: Card) -> Warning_ | None:
    """Flushes are switched off while the device has a write cache."""
    system, device = card["file_system"], card["block_device"]
    if device["write_cache"] != "write back" or not {"nobarrier", "barrier=0"} & set(system["options"]):
        return None
    return warn(
        f"{system['mount_point']} is mounted without write barriers, on a device with a write cache",
        "a sync returns before the data is safe, so synced writes look faster than they are",
        "mount with barriers unless the cache is backed by a battery",
    )


@rule("no-weir-core")
def no_core(card: Card) -> Warning_ | None:
    """The native program was not found, so nothing can be measured."""
    if card["core"] is not None:
        return None
    return warn(
        "the program weir-core was not found",
        "it carries out all measurements; without it first touch and MPI's own words are missing here",
        "build it with 'make', or set WEIR_CORE to its path",
    )
