"""What is installed is fixed, and what Weir is made of is known, with licences that it may have."""

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[3]
TO_RUN, FOR_TESTS = (
    (ROOT / f"packaging/{name}.txt").read_text() for name in ("python-lock", "python-lock-test")
)


@pytest.fixture(scope="module")
def bills() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bills", ROOT / "scripts/bill_of_materials.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def locked(lock: str) -> dict[str, str]:
    """Version by name, of the packages for this Python and system."""
    found = {}
    for entry in re.split(r"\n(?=\S)", lock):
        if entry.startswith("#"):
            continue
        requirement = Requirement(entry.split("\\")[0].strip())
        if requirement.marker is None or requirement.marker.evaluate(dict(default_environment())):
            found[canonicalize_name(requirement.name)] = str(requirement.specifier).removeprefix("==")
    return found


def test_every_locked_package_has_hashes() -> None:
    for entry in re.split(r"\n(?=\S)", TO_RUN + FOR_TESTS):
        assert entry.startswith("#") or re.search(r"==.*\n +--hash=sha256:[0-9a-f]{64}", entry), entry[:60]


def test_the_lock_is_of_the_dependencies_that_there_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    to_run = [*project["dependencies"], *extras["figures"], *extras["trace"]]
    wanted = [line for name in ("dev", "parquet", "array", "trace") for line in extras[name]]
    assert locked(TO_RUN).items() <= locked(FOR_TESTS).items()
    for line, versions in [(line, locked(TO_RUN)) for line in to_run] + [
        (line, locked(FOR_TESTS)) for line in wanted
    ]:
        requirement = Requirement(line)
        needed = requirement.marker is None or requirement.marker.evaluate()
        if requirement.name != project["name"] and needed:
            version = versions.get(canonicalize_name(requirement.name))
            assert version is not None and requirement.specifier.contains(version), (
                f"run scripts/lock: {line}"
            )


def test_licences(bills: ModuleType) -> None:
    allowed = {"MIT", "BSD-3-Clause", "GPL-3.0-or-later WITH GCC-exception-3.1"}
    for expression, verdict in {
        "MIT": True,
        "GPL-2.0-only": False,
        "MIT OR GPL-2.0-only": True,
        "MIT AND GPL-2.0-only": False,
        "(MIT AND BSD-3-Clause) OR GPL-2.0-only": True,
        "GPL-3.0-or-later WITH GCC-exception-3.1": True,
        "GPL-3.0-or-later": False,
        "": False,
    }.items():
        assert bills.is_allowed(expression, allowed) is verdict, expression


def test_faults_are_told_by_package(bills: ModuleType) -> None:
    made = {
        "components": [
            bills.component("good", "1", "MIT", "pkg:pypi/good@1", "required"),
            bills.component("bad", "2", "GPL-2.0-only", "pkg:pypi/bad@2", "required"),
            bills.component("dark", "3", None, "pkg:pypi/dark@3", "optional"),
        ]
    }
    bad, dark = bills.faults(made, {"MIT"})
    assert bad == "bad 2: GPL-2.0-only is not among the allowed licences"
    assert dark.startswith("dark 3: its licence is unknown")


def test_the_bill_of_this_build(bills: ModuleType) -> None:
    if not (ROOT / "build/release/bin/weir-core").exists():
        pytest.skip("weir-core is not built")
    rules = tomllib.loads((ROOT / "packaging/licences.toml").read_text())
    scopes = {each["name"]: each["scope"] for each in bills.python_components(rules["licence"])}
    assert (scopes["rich"], scopes["numpy"], scopes["pytest"]) == ("required", "optional", "excluded")
    if not Path("/var/lib/dpkg/status").exists():
        pytest.skip("libraries are named by Debian's packages, and this is no Debian")
    native = {each["name"]: each for each in bills.native_components(bills.BUILD, rules["licence"])}
    assert any(name.startswith("libhwloc") for name in native)
    assert all(each["version"] for each in native.values())
    assert not any("fftw" in name for name in native), "tests link it, what is installed must not"
