"""`weir trace` runs the program whatever becomes of the trace, and gives back its exit status."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .programs import RECORDER

ENVIRONMENT = {**os.environ, "WEIR_TRACE_LIBRARY": str(RECORDER)}
WEIR = [sys.executable, "-m", "weir.cli.main"]


def weir(*words: str | bytes, cwd: Path) -> subprocess.CompletedProcess[str]:
    if not RECORDER.exists():
        pytest.skip("the recorder is not built")
    return subprocess.run(
        [*WEIR, *words], capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT, check=False
    )


def test_words_that_are_no_text(tmp_path: Path) -> None:
    done = weir("trace", "-o", "T", "--", "sh", "-c", "exit 3", b"\xff\xfe", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "recorded in T" in done.stderr
    assert json.loads((tmp_path / "T" / "head.json").read_text())["command"][-1] == r"\xff\xfe"
    assert weir("explain", "T", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("blocks", [2, 3])
def test_a_disk_that_is_full_from_the_start(tmp_path: Path, blocks: int) -> None:
    """Of the file system's two blocks, the program's own folder takes the first."""
    unshare = shutil.which("unshare")
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=8k none {disk}"
    if (
        unshare is None
        or subprocess.run([unshare, "-m", "sh", "-c", mount], check=False, capture_output=True).returncode
    ):
        pytest.skip("this user may not mount a small file system")
    script = f'{mount}; head -c {blocks * 4096} /dev/zero > {disk}/filled; exec "$@"'
    command = [unshare, "-m", "sh", "-c", script, "sh", *WEIR]
    command += ["trace", "-o", str(disk / "T"), "--", "sh", "-c", "echo hello; exit 3"]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (3, "hello\n")
    first = done.stderr.splitlines()
    assert any("cannot be written (No space left on device)" in line for line in first)
    assert "internal error" not in done.stderr and "Traceback" not in done.stderr


def test_a_folder_that_the_program_removes(tmp_path: Path) -> None:
    done = weir("trace", "-o", "T", "--", "sh", "-c", "rm -r T; exit 4", cwd=tmp_path)
    assert done.returncode == 4
    assert "cannot be written (No such file or directory)" in done.stderr


def test_what_is_no_program_is_refused_and_leaves_no_folder(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("exit 4\n")
    script.chmod(0o755)
    done = weir("trace", "-o", "T", "--", "./script", cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot run './script' (Exec format error)" in done.stderr
    assert not (tmp_path / "T").exists()


def test_what_the_kernel_counts_of_the_program_and_its_children_is_kept(tmp_path: Path) -> None:
    if not Path("/proc/self/io").exists():
        pytest.skip("this kernel counts no bytes of processes")
    script = "head -c 3000000 /dev/zero > a; (head -c 2000000 /dev/zero > b &)"
    assert weir("trace", "-o", "T", "--", "sh", "-c", script, cwd=tmp_path).returncode == 0
    head = json.loads((tmp_path / "T" / "head.json").read_text())
    assert 3_000_000 <= head["kernel_written"] < 6_000_000
    assert head["process"] > 0


def test_descriptors_that_were_inherited_are_the_programs_too(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    program = [sys.executable, "-c", f"import os; os.write({writing}, b'hi')"]
    done = subprocess.run(
        [sys.executable, "-m", "weir.cli.main", "trace", "-o", "T", "--", *program],
        cwd=tmp_path,
        pass_fds=[writing],
        capture_output=True,
        check=False,
    )
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert (done.returncode, pipe.read()) == (0, b"hi"), done.stderr
