"""After a build, the programs are found where `weir` is; `cmake` is a stand-in that makes them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from running import ended

ROOT = Path(__file__).resolve().parents[3]
CMAKE = """#!/bin/bash
mkdir -p build/release/bin build/debug
for program in weir-core weir-trace; do
    printf '#!/bin/sh\\necho this is %s\\n' $program >build/release/bin/$program
    chmod +x build/release/bin/$program
done
[[ $1 == --build ]] || touch build/release/build.ninja
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the script and an environment."""
    (tmp_path / "scripts").mkdir()
    for name in ("build", "common.sh"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/cmake").write_text(CMAKE)
    (tmp_path / "tools/cmake").chmod(0o755)
    return tmp_path


def build(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = ended("bash", "-c", 'PATH="$PWD/tools:$PATH" scripts/build "$@"', "-", *arguments, cwd=checkout)
    assert done.returncode == 0, done.stderr
    return done


def said_by(program: Path) -> str:
    return ended(program).stdout.strip()


def test_programs_are_found_beside_weir(checkout: Path) -> None:
    build(checkout)
    again = build(checkout, "release", "weir-core")
    for program in ("weir-core", "weir-trace"):
        assert said_by(checkout / ".venv/bin" / program) == f"this is {program}"
        assert program not in again.stderr
    moved = checkout.parent / f"{checkout.name}-moved"
    checkout.rename(moved)
    assert said_by(moved / ".venv/bin/weir-core") == "this is weir-core"


def test_what_others_put_there_stays_and_is_told(checkout: Path) -> None:
    theirs, link = checkout / ".venv/bin/weir-core", checkout / ".venv/bin/weir-trace"
    theirs.write_text("theirs")
    link.symlink_to("elsewhere")
    said = build(checkout).stderr
    assert (theirs.read_text(), str(link.readlink())) == ("theirs", "elsewhere")
    assert "weir-core is not Weir's" in said and "weir-trace is not Weir's" in said


def test_nothing_is_put_into_the_environment_of_another_checkout(checkout: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (checkout / ".venv").rename(other)
    (checkout / ".venv").symlink_to(other)
    build(checkout)
    assert list((other / "bin").iterdir()) == []


def test_builds_for_tests_of_weir_are_not_what_one_types(checkout: Path) -> None:
    build(checkout, "debug")
    assert list((checkout / ".venv/bin").iterdir()) == []
