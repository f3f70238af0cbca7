"""The set-up where things are missing; `dpkg-query`, `apt-get` and `sudo` are stand-ins that keep logs."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from running import ended

ROOT = Path(__file__).resolve().parents[3]
NOBODY = 65534


class Machine:
    """A copy of what the set-up needs, and a folder of stand-ins that comes first on PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tools = folder / "tools"
        self.tools.mkdir()
        for part in ("scripts", "packaging"):
            shutil.copytree(ROOT / part, folder / part)
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.tool("apt-get", "echo apt-get $* >>log")
        self.tool("sudo", "exit 1")
        self.packages_installed("none")

    def tool(self, name: str, script: str) -> None:
        path = self.tools / name
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def packages_installed(self, which: str) -> None:
        all_of_them = 'shift 3; for package in "$@"; do echo "installed $package"; done'
        self.tool("dpkg-query", {"none": "exit 1", "all": all_of_them}[which])

    def environment_made(self, *locks: str) -> None:
        (self.folder / ".venv/bin").mkdir(parents=True)
        (self.folder / ".venv/bin/python").symlink_to(shutil.which("true") or "/bin/true")
        (self.folder / ".venv/bin/pip").write_text(f"#!{self.folder}/.venv/bin/python\n")
        (self.folder / ".venv/bin/pip").chmod(0o755)
        for lock in locks:
            checksum = subprocess.check_output(
                ["sha256sum", "pyproject.toml", f"packaging/{lock}.txt"], cwd=self.folder, text=True
            )
            (self.folder / f".venv/{lock}.stamp").write_text(f"{self.folder}\n{checksum}")

    def setup(self, *purpose: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs the set-up, never as root."""
        command = ["scripts/setup", *purpose]
        if os.geteuid() == 0:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        environment = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}", **variables}
        return ended(*command, cwd=self.folder, env=environment, timeout=None)

    @property
    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def machine() -> Iterator[Machine]:
    with tempfile.TemporaryDirectory(prefix="weir-setup-") as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        yield Machine(folder)


def to_install(done: subprocess.CompletedProcess[str]) -> set[str]:
    """The words of the line that it prints for who may install."""
    return set(next(line for line in done.stderr.splitlines() if "sudo apt-get install" in line).split())


def test_without_root_the_exact_line_is_printed(machine: Machine) -> None:
    done = machine.setup()
    assert done.returncode == 2
    assert {"cmake", "libopenmpi-dev", "libgtest-dev"} <= to_install(done)
    assert machine.log == ""


def test_with_sudo_the_packages_are_installed(machine: Machine) -> None:
    machine.tool("sudo", 'shift; [[ $1 == true ]] || { shift; "$2" "${@:3}"; }')
    machine.environment_made("python-lock", "python-lock-test")
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    assert "installing" in done.stderr
    assert "cmake" in machine.log.split()


def test_nothing_is_done_or_said_where_all_is_there(machine: Machine) -> None:
    machine.packages_installed("all")
    machine.environment_made("python-lock", "python-lock-test")
    done = machine.setup()
    assert (done.returncode, done.stdout, done.stderr, machine.log) == (0, "", "", "")


def test_to_run_weir_no_tests_need_be_built(machine: Machine) -> None:
    machine.environment_made("python-lock")
    wanted = to_install(machine.setup("run"))
    assert "libopenmpi-dev" in wanted and not {"libgtest-dev", "gfortran", "clang-tidy"} & wanted
    machine.packages_installed("all")
    assert machine.setup("run").stderr == ""
    assert "installing Weir's Python packages" in machine.setup().stderr


def test_packages_can_be_left_alone(machine: Machine) -> None:
    machine.environment_made("python-lock", "python-lock-test")
    done = machine.setup(PACKAGES="skip")
    assert (done.returncode, done.stderr, machine.log) == (0, "", "")


def test_other_systems_are_told_what_is_needed(machine: Machine) -> None:
    (machine.tools / "apt-get").unlink()
    (machine.tools / "dpkg-query").unlink()
    for program in ("bash", "env", "dirname", "mkdir", "flock", "setpriv"):
        (machine.tools / program).symlink_to(shutil.which(program) or program)
    done = machine.setup(PATH=str(machine.tools))
    assert done.returncode == 2
    assert "PACKAGES=skip" in done.stderr


PYTHON = """case "$*" in
*ensurepip*) exit {too_old} ;;
*pathlib*) exit {private} ;;
"-m venv .venv") mkdir -p .venv/bin && ln -s /bin/true .venv/bin/python && echo {name} >.venv/made-by ;;
--version) echo Python of {name} ;;
esac"""


def setup_with_pythons(
    machine: Machine, *, system_too_old: bool, own_private: bool
) -> subprocess.CompletedProcess[str]:
    """The set-up on a machine with two Pythons only: the system's, and one that comes first on PATH."""
    machine.packages_installed("all")
    machine.tool("python3", PYTHON.format(too_old=0, private=int(own_private), name="own"))
    system = machine.folder / "system"
    system.mkdir()
    shutil.copy(machine.tools / "python3", system)
    (system / "python3").write_text(
        "#!/bin/bash\n" + PYTHON.format(too_old=int(system_too_old), private=0, name="system")
    )
    for program in Path("/usr/bin").iterdir():
        if not program.name.startswith("python") and not (machine.tools / program.name).exists():
            (machine.tools / program.name).symlink_to(program)
    script = machine.folder / "scripts/setup"
    text = script.read_text()
    assert " /usr/bin/python3{" in text
    script.write_text(text.replace(" /usr/bin/python3{", f" {system}/python3{{"))
    return machine.setup(PATH=str(machine.tools))


def made_by(machine: Machine) -> str:
    return (machine.folder / ".venv/made-by").read_text().strip()


@pytest.mark.parametrize("own_private", [True, False])
def test_the_system_s_python_is_preferred(machine: Machine, own_private: bool) -> None:
    done = setup_with_pythons(machine, system_too_old=False, own_private=own_private)
    assert done.returncode == 0, done.stderr
    assert made_by(machine) == "system" and "private" not in done.stderr


def test_another_python_does_where_the_system_s_is_too_old(machine: Machine) -> None:
    done = setup_with_pythons(machine, system_too_old=True, own_private=False)
    assert made_by(machine) == "own" and "private" not in done.stderr


def test_a_python_that_others_cannot_run_is_told(machine: Machine) -> None:
    done = setup_with_pythons(machine, system_too_old=True, own_private=True)
    assert made_by(machine) == "own"
    assert "its Python is private" in done.stderr and "other users cannot run" in done.stderr


def test_an_environment_of_a_private_python_is_kept_and_told(machine: Machine) -> None:
    setup_with_pythons(machine, system_too_old=True, own_private=True)
    environment = machine.folder / ".venv"
    (environment / "bin/pip").write_text(f"#!{environment}/bin/python\n")
    (environment / "bin/pip").chmod(0o755)
    python = environment / "bin/python"
    python.unlink()
    python.write_text("#!/bin/bash\n[[ $* != *pathlib* ]]\n")
    python.chmod(0o755)
    script = machine.folder / "system/python3"
    script.write_text("#!/bin/bash\n" + PYTHON.format(too_old=0, private=0, name="system"))
    (environment / "python-lock.stamp").unlink()
    done = machine.setup(PATH=str(machine.tools))
    assert made_by(machine) == "own"
    assert "remove .venv" in done.stderr and f"makes it with {script}" in done.stderr
