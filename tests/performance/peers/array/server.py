"""Ranks that stay and do one dump or read whenever they are asked to; in between they sleep.

So contenders that need ranks of their own (an MPI-IO is chosen when MPI starts) can still take turns, dump by
dump, and buffers and plans live as long as they do in an application.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from peers.array.cases import Case
from peers.array.contenders import PROGRAM, Contender, by_launch
from peers.launch import LaunchFailed, reason_in
from weir.launch.base import Launcher, LaunchSpec

LONGEST_S = 180


class Server:
    """A launch of the contenders' program. One that failed stays so."""

    def __init__(self, launcher: Launcher, spec: LaunchSpec, program: tuple[str, ...]) -> None:
        command = launcher.command(spec, program)
        self._talk = tempfile.TemporaryFile("w+")  # noqa: SIM115 (it lives as long as the ranks)
        self._process = subprocess.Popen(
            command.argv,
            env={**os.environ, **command.env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._talk,
            start_new_session=True,
        )
        self._selector = selectors.DefaultSelector()
        assert self._process.stdout is not None
        self._selector.register(self._process.stdout, selectors.EVENT_READ)

    def ask(self, verb: str, contender: str, path: Path) -> dict[str, Any]:
        """Have one command carried out. Raises LaunchFailed where it cannot be; the ranks may live on."""
        answer = self._answer(f"{verb} {contender} {path}\n".encode())
        if "failure" in answer:
            raise LaunchFailed(answer["failure"])
        return answer

    def _answer(self, line: bytes) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError as error:
            raise LaunchFailed(self._last_words()) from error
        if not self._selector.select(LONGEST_S):
            self.kill()
            raise LaunchFailed(f"it did not answer within {LONGEST_S} s")
        said = self._process.stdout.readline()
        if not said:
            raise LaunchFailed(self._last_words())
        answer: dict[str, Any] = json.loads(said)
        return answer

    def _last_words(self) -> str:
        self._talk.seek(0)
        return reason_in(self._talk.read()) or "its ranks ended"

    def close(self) -> None:
        """Let the ranks end."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
        self._selector.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._talk.close()

    def kill(self) -> None:
        """End the ranks."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def serving(case: Case, contenders: list[Contender], launcher: Launcher) -> Iterator[dict[str, Server]]:
    """The ranks of each contender, by its name."""
    with ExitStack() as stack:
        servers = {}
        for group in by_launch(contenders):
            spec = LaunchSpec(case.ranks, env=group[0].environment, mpi_io=group[0].mpi_io)
            server = Server(launcher, spec, case.program(PROGRAM))
            stack.callback(server.close)
            servers.update({one.name: server for one in group})
        yield servers
