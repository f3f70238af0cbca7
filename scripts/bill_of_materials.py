#!/usr/bin/env python3
"""What this build is made of, as a software bill of materials in CycloneDX's form (JSON, version 1.5).

scripts/bill_of_materials.py           writes build/release/weir.cdx.json
scripts/bill_of_materials.py --check   says what has a licence that packaging/licences.toml does not allow

Components are the libraries that the build's programs and libraries are linked with, the headers that they
include (by Debian's packages), and the Python packages of the environment; those that only tests and tools
want are `excluded`.
"""

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"
HEADERS = ("libcli11-dev", "nlohmann-json3-dev")
OWN_NAMES = ("weir-hpc", "weir")
"""Weir's package, and what it was called in environments that were made before."""
Component = dict[str, Any]


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def linked_libraries(build: Path) -> set[str]:
    """The paths of what the build's programs and libraries ask for themselves; not what those ask for."""
    found = set()
    for path in [build / "bin/weir-core", *build.glob("lib/*.so")]:
        wanted = set(re.findall(r"NEEDED.*\[(.*)\]", output_of("readelf", "-d", path)))
        for name, target in re.findall(r"(\S+) => (/\S+)", output_of("ldd", path)):
            if name in wanted and not Path(target).resolve().is_relative_to(build):
                found.add(target)
    return found


def debian_packages(build: Path) -> set[str]:
    """Debian's packages of what is linked and included."""
    # A library may be known by its path before or after /lib became a link to /usr/lib.
    paths = {form for path in linked_libraries(build) for form in (path, str(Path(path).resolve()))}
    paths |= {path.removeprefix("/usr") for path in paths}
    said = subprocess.run(
        ["dpkg-query", "-S", *sorted(paths)], capture_output=True, text=True, check=False
    ).stdout
    return {line.split(":")[0] for line in said.splitlines()} | set(HEADERS)


def native_components(build: Path, licence: dict[str, str]) -> Iterator[Component]:
    for package in sorted(debian_packages(build)):
        version = output_of("dpkg-query", "-W", "-f", "${Version}", package)
        yield component(
            package, version, licence.get(package), f"pkg:deb/debian/{package}@{version}", "required"
        )


def python_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def own_project() -> dict[str, Any]:
    """What pyproject.toml says, which an environment made before its last change does not know."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project


def wanted_by(extras: set[str]) -> set[str]:
    """The packages that Weir wants with these extras, and all that those want."""
    from packaging.requirements import Requirement  # noqa: PLC0415 - only where packages are looked at

    project, found = own_project(), set()
    lists = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    waiting = [(line, "") for lines in lists for line in lines]
    while waiting:
        line, extra = waiting.pop()
        wanted = Requirement(line)
        if wanted.marker and not wanted.marker.evaluate({"extra": extra}):
            continue
        for each in ("", *wanted.extras):
            if (wanted.name, each) not in found:
                found.add((wanted.name, each))
                waiting += [(line, each) for line in importlib.metadata.requires(wanted.name) or []]
    return {python_name(name) for name, _ in found}


def python_components(licence: dict[str, str]) -> Iterator[Component]:
    required, optional = (
        wanted_by(set()),
        wanted_by({"figures", "parquet", "array", "trace", "cloud", "flash", "aquifer"}),
    )
    for package in sorted(importlib.metadata.distributions(), key=lambda each: python_name(each.name)):
        name = python_name(package.name)
        if name in OWN_NAMES:
            continue
        said = licence.get(name) or package.metadata.get("License-Expression")
        scope = "required" if name in required else "optional" if name in optional else "excluded"
        yield component(name, package.version, said, f"pkg:pypi/{name}@{package.version}", scope)


def component(name: str, version: str, licence: str | None, address: str, scope: str) -> Component:
    made: Component = {"type": "library", "name": name, "version": version, "purl": address, "scope": scope}
    made["bom-ref"] = address
    if licence:
        made["licenses"] = [{"expression": licence}]
    return made


def bill(build: Path, licence: dict[str, str]) -> dict[str, Any]:
    project = own_project()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"expression": project["license"]}],
            }
        },
        "components": [*native_components(build, licence), *python_components(licence)],
    }


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Whether an SPDX expression can be kept to by licences of the set."""
    choices = [each.strip(" ()") for each in re.split(r"\bOR\b", expression)]
    return any(all(part.strip(" ()") in allowed for part in re.split(r"\bAND\b", each)) for each in choices)


def faults(made: dict[str, Any], allowed: set[str]) -> Iterator[str]:
    """A line for each component whose licence is unknown or not allowed."""
    for each in made["components"]:
        said = each["licenses"][0]["expression"] if "licenses" in each else None
        if said is None:
            yield f"{each['name']} {each['version']}: its licence is unknown; read it and add it to [licence]"
        elif not is_allowed(said, allowed):
            yield f"{each['name']} {each['version']}: {said} is not among the allowed licences"


def main() -> int:
    rules = tomllib.loads((ROOT / "packaging/licences.toml").read_text())
    made = bill(BUILD, rules["licence"])
    if sys.argv[1:] == ["--check"]:
        lines = list(faults(made, set(rules["allowed"])))
        for line in lines:
            print(f"packaging/licences.toml: {line}", file=sys.stderr)
        return 1 if lines else 0
    path = BUILD / "weir.cdx.json"
    path.write_text(json.dumps(made, indent=1) + "\n")
    print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
