import resource
import signal
import sys
from pathlib import Path

from running import ended

PROGRAM = """
from pathlib import Path
from weir.store.lines import LineWriter
with LineWriter(Path("lines")) as writer:
    writer.append({"text": "x" * 9000})
"""


def bound() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))


def test_a_bound_of_files_sizes_is_to_be_raised(tmp_path: Path) -> None:
    done = ended(sys.executable, "-c", PROGRAM, cwd=tmp_path, preexec_fn=bound)
    assert "Raise the limit on file sizes (ulimit -f) and give the same command again" in done.stderr
    assert (tmp_path / "lines").read_bytes() == b""


def test_a_standard_output_that_is_closed_is_to_be_left_open(tmp_path: Path) -> None:
    weir = Path(sys.executable).with_name("weir")
    done = ended("sh", "-c", f'"{weir}" list >&-', cwd=tmp_path)
    assert done.returncode == 2
    assert "(Bad file descriptor). Leave it open, or write elsewhere" in done.stderr
