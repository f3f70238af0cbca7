import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from weir.errors import ExitCode, WeirError
from weir.launch.process import Exit, execute


def run(script: str, folder: Path, silence_limit_s: float = 20.0) -> tuple[Exit, list[bytes]]:
    lines: list[bytes] = []
    end = execute(
        ["sh", "-c", script],
        {"EXTRA": "x"},
        stderr_path=folder / "err",
        silence_limit_s=lambda: silence_limit_s,
        on_line=lines.append,
    )
    return end, lines


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(pid: int) -> bool:
    for _ in range(200):
        if not alive(pid):
            return True
        time.sleep(0.05)
    return False


def test_lines_come_whole_and_talk_goes_to_the_log(tmp_path: Path) -> None:
    end, lines = run('printf "on"; sleep 0.1; echo "e $EXTRA"; echo talk >&2; printf last; exit 3', tmp_path)
    assert lines == [b"one x", b"last"]
    assert end == Exit(3)
    assert (tmp_path / "err").read_text() == "talk\n"


def test_a_kill_is_told_as_a_signal(tmp_path: Path) -> None:
    end, _ = run("kill -9 $$", tmp_path)
    assert end == Exit(None, 9)
    assert str(end) == "was killed by signal 9 (SIGKILL)"


def test_silence_has_an_end(tmp_path: Path) -> None:
    end, lines = run("echo a; sleep 600", tmp_path, silence_limit_s=0.3)
    assert lines == [b"a"]
    assert end.silent_for_s == 0.3


PROGRESS = '{"schema":1,"kind":"progress","host":"n1"}'
STALL = '{"schema":1,"kind":"stall","host":"n1","since_s":2,"ranks":1,"suspects":[],"waiting":[]}'


def test_signs_of_progress_break_the_silence(tmp_path: Path) -> None:
    script = f"for i in 1 2 3 4; do sleep 1; echo '{PROGRESS}' >&2; done; echo end"
    end, lines = run(script, tmp_path, silence_limit_s=3.0)
    assert (end, lines) == (Exit(0), [b"end"])


def test_what_ranks_tell_of_a_stall_breaks_no_silence_and_is_kept(tmp_path: Path) -> None:
    end, _ = run(f"echo '{STALL}' >&2; echo talk >&2; sleep 600", tmp_path, silence_limit_s=2.0)
    assert end.silent_for_s == 2.0
    assert [stall.host for stall in end.stalls] == ["n1"]


def test_the_silence_limit_may_change(tmp_path: Path) -> None:
    limits = [20.0]
    end = execute(
        ["sh", "-c", "echo a; sleep 600"],
        {},
        stderr_path=tmp_path / "err",
        silence_limit_s=lambda: limits[0],
        on_line=lambda _: limits.__setitem__(0, 0.3),
    )
    assert end.silent_for_s == 0.3


def test_a_grandchild_that_holds_the_stream_does_not_hold_us(tmp_path: Path) -> None:
    started = time.monotonic()
    end, lines = run("setsid sleep 60 & echo $!; exit 0", tmp_path)
    assert end == Exit(0)
    assert time.monotonic() - started < 50
    os.kill(int(lines[0]), signal.SIGKILL)


def test_an_error_while_reading_leaves_no_process(tmp_path: Path) -> None:
    """Ranks form process groups of their own, so the test makes one too."""
    pids: list[int] = []

    def fail(line: bytes) -> None:
        pids.append(int(line))
        if len(pids) == 2:
            raise KeyboardInterrupt

    code = "import os, time; os.setpgid(0, 0); print(os.getpid(), flush=True); time.sleep(600)"
    script = f"echo $$; {sys.executable} -c '{code}' & wait"
    with pytest.raises(KeyboardInterrupt):
        execute(
            ["sh", "-c", script], {}, stderr_path=tmp_path / "e", silence_limit_s=lambda: 20, on_line=fail
        )
    assert all(wait_until_gone(pid) for pid in pids)


def test_the_command_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "from weir.launch.process import execute; from pathlib import Path; import sys;"
        f"execute(['sh','-c','echo $$; exec sleep 600'],{{}},stderr_path=Path({str(tmp_path / 'e')!r}),"
        "silence_limit_s=lambda:600,on_line=lambda l: print(l.decode(), flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
        assert wait_until_gone(pid)


def test_a_folder_that_is_gone_is_told_before_anything_is_started(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="its folder is gone") as told:
        run(f"touch {tmp_path}/started", tmp_path / "removed")
    assert told.value.exit_code == ExitCode.CASE_FAILED
    assert not (tmp_path / "started").exists()
