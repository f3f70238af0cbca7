"""The real weir-core, on one rank or under mpirun: its lines decoded, and never longer than two minutes."""

import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from open_mpi import AS_ROOT_TOO
from running import ended
from weir.launch.base import Command

from .conftest import CORE, in_mount_namespace
from .real_programs import on_ranks

KIB = 1 << 10
MIB = 1 << 20
_BOUNDED = ("timeout", "-k", "5", "120")
_NO_MOUNT = 99

Line = dict[str, Any]


@dataclass(frozen=True)
class Done:
    """What a weir-core has said and how it ended; `others` is what else was on standard output."""

    code: int
    lines: list[Line]
    others: list[str]
    talk: str

    def ended(self, code: int) -> "Done":
        """The same, where it ended with this exit code; else the test fails with what it said."""
        assert self.code == code, self.talk
        return self

    def of(self, kind: str, case: str | None = None) -> list[Line]:
        """The lines of a kind, of one case if named."""
        return [line for line in self.lines if line["kind"] == kind and case in (None, line.get("case"))]

    def samples(self, phase: str, case: str | None = None) -> list[Line]:
        """The samples of a phase, of one case if named, their metrics and details beside their own keys."""
        return [
            {**line, **line["details"], **{one["key"]: one["value"] for one in line["metrics"]}}
            for line in self.of("sample", case)
            if line["phase"] == phase
        ]

    def failure(self, case: str | None = None) -> Line:
        """The only failure, of one case if named."""
        (line,) = self.of("failure", case)
        return line

    @property
    def errors(self) -> list[str]:
        """What weir-core itself complained of on standard error."""
        return [line for line in self.talk.splitlines() if line.startswith("weir-core: error")]


def core_command(*arguments: str, ranks: int = 1) -> Command:
    """The command that starts weir-core, under mpirun if there is more than one rank."""
    program = (str(CORE), *arguments)
    return on_ranks(ranks, *program) if ranks > 1 else Command(program)


def run_core(*arguments: str, ranks: int = 1, cwd: Path | None = None, **env: str) -> Done:
    """Run weir-core to its end."""
    command = core_command(*arguments, ranks=ranks)
    return decoded(ended(*_BOUNDED, *command.argv, cwd=cwd, env={**os.environ, **command.env, **env}))


def run_cases(*cases: dict[str, Any], code: int = 0, ranks: int = 1, **env: str) -> Done:
    """Run cases in one launch, which must end with this exit code."""
    return run_core(write_cases(*cases), ranks=ranks, **env).ended(code)


def run_core_on(mount: str, *arguments: str, ranks: int = 1, cwd: Path | None = None) -> Done:
    """Run weir-core with `mount` (the arguments of mount) over the directory `store`; `others` is what is in
    there afterwards. Skips where that is not allowed."""
    return run_core_after(f"mount {mount} none store", *arguments, ranks=ranks, cwd=cwd)


def run_core_after(preparation: str, *arguments: str, ranks: int = 1, cwd: Path | None = None) -> Done:
    """Run weir-core after a shell command that mounts something over the directory `store`; `others` is what
    is in there afterwards. Skips where the command fails."""
    command = core_command(*arguments, ranks=ranks)
    folder = (cwd or Path()).absolute()
    # In there one is root, perhaps not outside: then the files of the real root's MPI are in the way.
    env = {**AS_ROOT_TOO, "TMPDIR": str(folder), **command.env}
    core = shlex.join(["env", *(f"{name}={value}" for name, value in env.items()), *_BOUNDED, *command.argv])
    prepare = f"cd {shlex.quote(str(folder))} && {preparation} || exit {_NO_MOUNT}"
    done = in_mount_namespace(f"{prepare}; {core}; code=$?; ls -A store; exit $code")
    if done.returncode == _NO_MOUNT:
        pytest.skip(f"`{preparation}` is not possible here: {done.stderr.strip()}")
    return decoded(done)


def storage(case: str, **options: object) -> dict[str, Any]:
    """A case of the benchmark storage on small files in the directory `store`."""
    small = {"block": 64 * KIB, "transfer": 8 * KIB, "dir": "store"}
    return {"id": case, "benchmark": "storage", "options": {**small, **options}}


def write_cases(*cases: dict[str, Any], folder: Path = Path()) -> str:
    """A case file, in which nothing is warmed; returns its name."""
    text = json.dumps({"schema": 1, "warm_memory_bytes": 0, "cases": cases})
    (folder / "cases.json").write_text(text)
    return "cases.json"


def names_in(folder: str | Path) -> list[str]:
    """What a folder holds, sorted."""
    return sorted(path.name for path in Path(folder).iterdir())


def decoded(done: subprocess.CompletedProcess[str]) -> Done:
    """What a weir-core that has ended has said."""
    out: Sequence[str] = done.stdout.splitlines()
    lines = [json.loads(line) for line in out if line.startswith("{")]
    others = [line for line in out if not line.startswith("{")]
    return Done(done.returncode, lines, others, done.stderr)
