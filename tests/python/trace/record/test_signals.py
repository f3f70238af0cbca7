"""Signals that `weir trace` gets: the program has each of them once, and the trace is finished."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..programs import ENVIRONMENT, RECORDER, WEIR, compiled

TELLS_SIGNALS = """
static void told(int number) { write(1, number == SIGINT ? "I" : "H", 1); }
static void ends(int number) { write(1, "T", 1); _exit(9); }
main:
signal(SIGINT, told);
signal(SIGHUP, told);
signal(SIGTERM, ends);
close(open("a", O_RDWR | O_CREAT, 0644));
write(1, ".", 1);
alarm(20);
for (;;) pause();
"""


@contextmanager
def traced(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The program under `weir trace`, once it can tell signals, in a group of their own."""
    program = compiled(tmp_path, TELLS_SIGNALS)
    with subprocess.Popen(
        [*WEIR, "trace", "-o", tmp_path / "T", "--", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=ENVIRONMENT,
        cwd=tmp_path,
    ) as weir:
        assert weir.stdout is not None
        assert weir.stdout.read(1) == b"."
        try:
            yield weir
        finally:
            with suppress(ProcessLookupError):
                os.killpg(weir.pid, signal.SIGKILL)


def test_signals_for_weir_alone_are_passed_on(tmp_path: Path) -> None:
    with traced(tmp_path) as weir:
        for number, told in ((signal.SIGINT, b"I"), (signal.SIGHUP, b"H"), (signal.SIGTERM, b"T")):
            os.kill(weir.pid, number)
            assert weir.stdout is not None and weir.stdout.read(1) == told
        errors = weir.communicate(timeout=30)[1]
        assert weir.returncode == 9
        assert b"of 1 process recorded" in errors
    assert json.loads((tmp_path / "T" / "head.json").read_text())["exit_status"] == 9


def test_signals_for_the_group_come_once(tmp_path: Path) -> None:
    with traced(tmp_path) as weir:
        os.killpg(weir.pid, signal.SIGINT)
        assert weir.stdout is not None and weir.stdout.read(1) == b"I"
        assert select.select([weir.stdout], [], [], 0.3)[0] == [], "a second one"
        os.kill(weir.pid, signal.SIGTERM)
        assert weir.communicate(timeout=30)[0] == b"T"
        assert weir.returncode == 9


def test_a_program_that_a_signal_ends_gives_its_status(tmp_path: Path) -> None:
    with traced(tmp_path) as weir:
        os.kill(weir.pid, signal.SIGUSR1)
        errors = weir.communicate(timeout=30)[1]
        assert weir.returncode == 128 + signal.SIGUSR1, errors
    assert json.loads((tmp_path / "T" / "head.json").read_text())["killed_by"] == signal.SIGUSR1


def test_the_keys_of_a_terminal_come_once(tmp_path: Path) -> None:
    program = compiled(tmp_path, TELLS_SIGNALS)
    command = ["-m", "weir.cli.main", "trace", "-o", str(tmp_path / "T"), "--", str(program)]
    weir, terminal = pty.fork()
    if weir == 0:
        os.chdir(tmp_path)
        os.environ["WEIR_TRACE_LIBRARY"] = str(RECORDER)
        os.execv(sys.executable, [sys.executable, *command])
    told = b""
    while b"." not in told:
        told += os.read(terminal, 100)
    os.write(terminal, b"\x03")
    while select.select([terminal], [], [], 0.3)[0]:
        told += os.read(terminal, 100)
    os.kill(weir, signal.SIGTERM)
    assert os.waitstatus_to_exitcode(os.waitpid(weir, 0)[1]) == 9
    os.close(terminal)
    assert told.count(b"I") == 1
