"""Host, operating system, kernel, and what it runs inside of."""

from weir.machine.card import Section, System, probe


@probe("host")
def host(system: System) -> Section:
    """Names and versions; `virtual` names the hypervisor or container, "none" for bare metal, null if
    unknown.
    """
    return {
        "name": system.read_or_none("/proc/sys/kernel/hostname"),
        "kernel": system.read_or_none("/proc/sys/kernel/osrelease"),
        "architecture": _architecture(system),
        "os": _os_name(system),
        "virtual": _virtual(system),
        "container": _container(system),
    }


def _architecture(system: System) -> str | None:
    try:
        return system.run(["uname", "-m"]).strip()
    except Exception:
        return None


def _os_name(system: System) -> str | None:
    for line in (system.read_or_none("/etc/os-release") or "").splitlines():
        key, _, value = line.partition("=")
        if key == "PRETTY_NAME":
            return value.strip('"')
    return None


def _virtual(system: System) -> str | None:
    product = system.read_or_none("/sys/class/dmi/id/product_name")
    hypervisor = system.read_or_none("/sys/hypervisor/type")
    flags = system.read_or_none("/proc/cpuinfo")
    if flags is None:
        return None
    if hypervisor:
        return hypervisor
    if " hypervisor" in flags:
        # Small hypervisors show the guest no firmware tables: the CPU flag alone says that there is one.
        return f"virtual machine ({product})" if product else "virtual machine (hypervisor not named)"
    return "none" if " fpu" in flags else None


def _container(system: System) -> str | None:
    if (system.root / ".dockerenv").exists():
        return "docker"
    if (system.root / "run/.containerenv").exists():
        return "podman"
    if "APPTAINER_CONTAINER" in system.environment:
        return "apptainer"
    if "SINGULARITY_CONTAINER" in system.environment:
        return "singularity"
    return None
