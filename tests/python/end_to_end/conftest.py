"""What the tests with the real core and mpirun need; without them they are skipped, with the reason."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from running import ended
from verbs import weir_ended
from weir.machine.mount_table import mount_of, parse_mounts

from .real_programs import run

ROOT = Path(__file__).parents[3]
CORE = ROOT / "build" / "release" / "bin" / "weir-core"
WEIR = f"{sys.executable} -m weir.cli.main"


def need_real_programs() -> None:
    """Skip where the core was not built or there is no mpirun."""
    if not CORE.exists():
        pytest.skip(f"{CORE} is not built")
    if shutil.which("mpirun") is None:
        pytest.skip("there is no mpirun")


@pytest.fixture(scope="session")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the component `array` is, after it was installed elsewhere and moved."""
    need_real_programs()
    folder = tmp_path_factory.mktemp("prefix")
    run(
        "cmake", "--install", ROOT / "build" / "release", "--prefix", folder / "first", "--component", "array"
    )
    return (folder / "first").rename(folder / "moved")


@pytest.fixture(scope="session")
def libraries(prefix: Path) -> Path:
    """The folder with the libraries; its name differs between systems."""
    (library,) = prefix.rglob("libweir_array.so")
    return library.parent


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder with a directory `store` to measure, and the real programs."""
    need_real_programs()
    monkeypatch.setenv("WEIR_CORE", str(CORE))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "store").mkdir()
    return tmp_path


@pytest.fixture
def on_disk(place: Path) -> Path:
    """A place whose storage is a device."""
    mount = mount_of(place.resolve(), parse_mounts(Path("/proc/self/mountinfo").read_text()))
    if mount is None or mount.nature != "local":
        kind = "unknown" if mount is None else mount.type
        pytest.skip(f"the temporary directory is on no local disk ({kind})")
    return place


def folder_with_store(factory: pytest.TempPathFactory, name: str) -> Path:
    """A folder with a directory `store` to measure, and the real programs, for what several tests share."""
    need_real_programs()
    folder = factory.mktemp(name)
    (folder / "store").mkdir()
    return folder


def write_study(
    *fixed: str, axes: str = "", head: str = "min_samples = 6\nmax_samples = 6", without: tuple[str, ...] = ()
) -> None:
    """A study of small files on two ranks in `study.toml`: six samples and done. `fixed` are lines to add
    or to put in place of others, `without` the names of those to leave out."""
    lines = ['benchmark = "storage"', "ranks = 2", 'block = "1MiB"', 'transfer = "64KiB"']
    changed = {line.split(" = ")[0] for line in fixed} | {*without}
    lines = [line for line in lines if line.split(" = ")[0] not in changed] + list(fixed)
    text = [
        f'[study]\nname = "small"\nbudget = "60s"\nprobe_state = false\n{head}',
        "[fixed]",
        *lines,
        '[[comparison]]\nname = "only"',
        axes,
    ]
    Path("study.toml").write_text("\n".join(text) + "\n")


def command(verb: str = "run") -> list[str]:
    """The command line for the study."""
    out = ["--out", "RUN"] if verb == "run" else []
    return [*WEIR.split(), verb, "study.toml", *out, "--dir", "store"]


def weir(verb: str = "run", **env: str) -> subprocess.CompletedProcess[str]:
    """Run the study, in this process."""
    return weir_ended(*command(verb)[len(WEIR.split()) :], **env)


def in_mount_namespace(script: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script that may mount things unnoticed by others; skips where that is not allowed."""
    unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"], check=False).returncode != 0:
        pytest.skip("mount namespaces are not allowed here")
    return ended(*unshare, "sh", "-c", script)


def processes(word: str) -> list[int]:
    """Living processes in the current folder, and in no other test's, with the word in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().decode(errors="replace")
                if word in line and (entry / "cwd").samefile("."):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def children_of(parent: int) -> list[int]:
    """The living processes that it has started."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            # After the name, which may hold anything: the state and the parent.
            after_name = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[1]) == parent:
            found.append(int(entry.name))
    return found
