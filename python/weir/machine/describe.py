"""The machine card in words: groups of labelled facts, for the terminal and for the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.machine.striping.base import ALL
from weir.units import count_words, format_bytes, significant

Card = Mapping[str, Any]


@dataclass(frozen=True)
class Fact:
    """One line of the card; `value` is "unknown" where a probe found nothing."""

    label: str
    value: str


@dataclass(frozen=True)
class Group:
    """Facts about one part of the machine."""

    title: str
    facts: tuple[Fact, ...]


def describe(card: Card, *, storage: bool = True) -> list[Group]:
    """All that the card knows, part by part; parts that are null throughout are left out. Without `storage`
    nothing is said of files, nor of how they are cached or reached."""
    groups = [
        Group("Storage", _storage(card) if storage else ()),
        Group("Memory", (*_memory(card), *(_write_back(card) if storage else ()), *_first_touch(card))),
        Group("Processors", _processors(card)),
        Group("MPI", (*_mpi(card), *(_mpi_io(card) if storage else ()))),
        Group("System", _system(card)),
        Group("Environment", _environment(card)),
    ]
    return [group for group in groups if group.facts]


def _facts(*pairs: tuple[str, str | None]) -> tuple[Fact, ...]:
    return tuple(Fact(label, value) for label, value in pairs if value)


def _section(card: Card, name: str) -> Mapping[str, Any]:
    return card.get(name) or {}


def _size(value: Any) -> str | None:
    return format_bytes(value) if value is not None else None


def _storage(card: Card) -> tuple[Fact, ...]:
    system, device, stripe = (
        _section(card, "file_system"),
        _section(card, "block_device"),
        _section(card, "stripe"),
    )
    free = _size(system.get("available_bytes"))
    kind = {"memory": "in memory", "network": "network", "parallel": "parallel", "local": "local"}
    return _facts(
        ("directory", card.get("directory")),
        ("file system", f"{system['type']} ({kind[system['nature']]})" if system else None),
        ("mounted", f"{system['source']} on {system['mount_point']}" if system else None),
        ("options", ", ".join(system.get("options", []))),
        ("free", f"{free} of {_size(system['total_bytes'])}" if free else None),
        ("device", _device(device) if device else None),
        ("largest request", _size(device.get("max_request_bytes"))),
        ("read ahead", _size(device.get("read_ahead_bytes"))),
        ("write cache", device.get("write_cache")),
        ("stripe count", _stripe_count(stripe)),
        ("stripe size", _size(stripe.get("stripe_bytes"))),
    )


def _stripe_count(stripe: Mapping[str, Any]) -> str | None:
    count = stripe.get("stripe_count")
    words = None if count is None else "all" if count == ALL else str(count)
    return f"{words}, of the last of {len(stripe['parts'])} parts" if words and stripe.get("parts") else words


def _device(device: Mapping[str, Any]) -> str:
    parts = [str(device["name"]), device.get("model"), _size(device.get("size_bytes"))]
    rotational = device.get("rotational")
    if rotational is not None:
        # A virtual disk often calls itself rotational whatever lies below it.
        parts.append("says it rotates" if rotational else "says it does not rotate")
    parts.append(f"scheduler {device['scheduler']}" if device.get("scheduler") else None)
    return ", ".join(filter(None, parts))


def _memory(card: Card) -> tuple[Fact, ...]:
    memory = _section(card, "memory")
    limit = _section(card, "cgroup").get("memory_limit_bytes")
    available = _size(memory.get("available_bytes"))
    return _facts(
        ("available", f"{available} of {_size(memory.get('total_bytes'))}" if available else None),
        ("limit by control group", _size(limit) or ("none" if card.get("cgroup") else None)),
        ("huge pages", memory.get("thp")),
    )


def _write_back(card: Card) -> tuple[Fact, ...]:
    dirty = _section(card, "dirty_pages")
    return _facts(
        ("kernel writes back from", _threshold(dirty, "dirty_background")),
        ("kernel stops writers at", _threshold(dirty, "dirty")),
    )


def _first_touch(card: Card) -> tuple[Fact, ...]:
    return _facts(("first touch of a page", _touch(_section(card, "first_touch"))))


def _threshold(dirty: Mapping[str, Any], name: str) -> str | None:
    absolute, percent = dirty.get(f"{name}_bytes"), dirty.get(f"{name}_ratio_percent")
    if absolute:
        return f"{format_bytes(absolute)} dirty"
    return f"{percent} % of available memory dirty" if percent is not None else None


def _touch(touch: Mapping[str, Any]) -> str | None:
    cold, warm = touch.get("first_s_per_page"), touch.get("again_s_per_page")
    if cold is None or warm is None:
        return None
    times = f"{significant(cold * 1e6)} µs the first time, {significant(warm * 1e6)} µs later"
    return f"{times}, of one process as the machine was looked at"


def _processors(card: Card) -> tuple[Fact, ...]:
    cpu, group, load = _section(card, "cpu"), _section(card, "cgroup"), _section(card, "load")
    nodes = cpu.get("numa_nodes")
    counts = [count_words(cpu[key], noun) for key, noun in COUNTS if cpu.get(key)]
    caches = [
        f"L{cache['level']} {(cache['type'] or '')[:4]} {_size(cache['size_bytes'])}"
        for cache in cpu.get("caches") or []
    ]
    return _facts(
        ("model", cpu.get("model")),
        ("counts", ", ".join(counts)),
        ("usable here", count_words(cpu["usable"], "hardware thread") if cpu.get("usable") else None),
        (
            "limit by control group",
            f"{group['cpu_limit']:g} threads' time" if group.get("cpu_limit") else None,
        ),
        ("caches", ", ".join(" ".join(cache.replace("unif", "").split()) for cache in caches)),
        ("NUMA nodes", str(len(nodes)) if nodes else None),
        ("core to core", _hand_off(_section(card, "hand_off"))),
        ("clock governor", cpu.get("governor")),
        ("load", f"{load['tasks_1min']:g} tasks in the last minute" if load else None),
    )


def _hand_off(found: Mapping[str, Any]) -> str | None:
    """The time of a cache line, and what its states mean for measurements."""
    if not found:
        return None
    one, other = found["cpus"]
    between = f"from CPU {one} to CPU {other}"
    if not found["times_ns"]:
        return f"not measured, as the CPUs were busy ({between})"
    states, count = found["states"], count_words(len(found["times_ns"]), "probe")
    if len(states) > 1:
        times = " or ".join(f"{significant(state['handoff_ns'])} ns ({state['probes']})" for state in states)
        return f"a cache line in {times}, {between}: the machine changed its state within {count}"
    times = f"{significant(found['median_ns'])} ns"
    if found["low_ns"] is not None:
        times += f" [{significant(found['low_ns'])}, {significant(found['high_ns'])}]"
    told = "one state in these; runs probe it around each case, and set samples of others aside"
    return f"a cache line in {times}, {between} ({count}): {told}"


COUNTS = (("sockets", "socket"), ("cores", "core"), ("threads", "hardware thread"))


def _mpi(card: Card) -> tuple[Fact, ...]:
    mpi = _section(card, "mpi")
    return _facts(
        ("launcher", mpi.get("launcher")),
        # Some libraries add their whole build history after the first comma.
        ("library", (mpi.get("library") or "").partition(",")[0]),
        ("standard", mpi.get("standard")),
    )


def _mpi_io(card: Card) -> tuple[Fact, ...]:
    mpi = _section(card, "mpi")
    components = mpi.get("io_components")
    return _facts(
        ("MPI-IO by", mpi.get("io")),
        (
            "could also be by",
            ", ".join(name for name in components if name != mpi.get("io")) if components else None,
        ),
    )


def _system(card: Card) -> tuple[Fact, ...]:
    host, software, core = _section(card, "host"), _section(card, "software"), _section(card, "core")
    libraries = [
        f"{name} {version}" for name, version in (software.get("libraries") or {}).items() if version
    ]
    packages = [f"{name} {version}" for name, version in (software.get("packages") or {}).items() if version]
    return _facts(
        ("host", host.get("name")),
        ("operating system", host.get("os")),
        ("kernel", " ".join(filter(None, [host.get("kernel"), host.get("architecture")]))),
        ("virtual", host.get("virtual")),
        ("container", host.get("container")),
        ("weir-core built by", " ".join(filter(None, (core.get("build") or {}).values()))),
        ("and uses", ", ".join((core.get("libraries") or {}).values())),
        ("compiler here", software.get("compiler")),
        ("libraries", ", ".join([*filter(None, [software.get("libc")]), *libraries])),
        ("Python", ", ".join([*filter(None, [software.get("python")]), *packages])),
    )


def _environment(card: Card) -> tuple[Fact, ...]:
    found = _section(card, "environment").get("set") or {}
    return tuple(Fact(name, value) for name, value in found.items())
