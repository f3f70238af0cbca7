"""`make nightly`: each stage runs whatever became of the others, and one that passed is not repeated."""

import shutil
import subprocess
from pathlib import Path

import pytest

from running import ended

ROOT = Path(__file__).resolve().parents[3]
STAGES = {
    "broken": "echo counted; echo '3 of 4 wrong'; exit 5",
    "fine": "echo run >>runs; echo '4 of 4 right'",
    "lacking": "echo 'no compiler is there'; exit 77",
}


def write_script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/usr/bin/env bash\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The runner in a checkout of its own, with stages that show what it does."""
    (tmp_path / "scripts").mkdir()
    for name in ("nightly", "common.sh"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    for name in ("setup", "build"):
        write_script(tmp_path / "scripts" / name, "")
    for stage, text in STAGES.items():
        write_script(tmp_path / "tests" / "nightly" / f"{stage}.sh", text)
    (tmp_path / ".gitignore").write_text("build\nruns\n")
    for command in ("init -q", "add .", "-c user.name=A -c user.email=a@b.example commit -qm All"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    return tmp_path


def nightly(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return ended(checkout / "scripts" / "nightly", *arguments)


def test_every_stage_runs_and_has_a_line(checkout: Path) -> None:
    done = nightly(checkout)
    assert done.returncode == 1
    broken, fine, lacking = done.stdout.splitlines()
    assert broken.startswith("broken ") and "FAILED with 5 in 0 min" in broken
    assert broken.endswith("3 of 4 wrong")
    assert fine.startswith("fine ") and " passed in 0 min" in fine
    assert lacking.startswith("lacking ") and " skipped in " in lacking
    assert lacking.endswith("no compiler is there")
    assert "counted" in (checkout / "build" / "nightly" / "broken.log").read_text()


def test_what_passed_is_not_repeated_with_the_same_tree(checkout: Path) -> None:
    assert nightly(checkout, "fine", "lacking").returncode == 0
    again = nightly(checkout, "fine")
    assert again.returncode == 0
    assert " passed before in 0 min" in again.stdout
    assert (checkout / "runs").read_text() == "run\n"
    assert nightly(checkout, "fine").stdout == again.stdout

    (checkout / "scripts" / "new").write_text("")
    assert " passed in " in nightly(checkout, "fine").stdout
    assert " passed in " in nightly(checkout, "--again", "fine").stdout
    assert (checkout / "runs").read_text() == "run\n" * 3


def test_a_stage_that_passed_and_then_fails_is_told(checkout: Path) -> None:
    assert nightly(checkout, "fine").returncode == 0
    write_script(checkout / "tests" / "nightly" / "fine.sh", "exit 1")
    assert nightly(checkout, "fine").returncode == 1
    assert nightly(checkout, "fine").returncode == 1


def test_no_such_stage(checkout: Path) -> None:
    done = nightly(checkout, "nothing")
    assert done.returncode == 2
    assert "no stage has 'nothing' in its name" in done.stderr
