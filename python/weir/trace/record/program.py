"""Can this program be started, and can the recorder be loaded into it?"""

import errno
import os
import shutil
import stat
import struct
from collections.abc import Sequence
from pathlib import Path

from weir.errors import WeirError

PARALLEL = ("mpirun", "mpiexec", "orterun", "prterun", "srun", "aprun", "jsrun")
"""Launchers of ranks."""
LAUNCHERS = (*PARALLEL, "env", "nice", "time", "timeout", "numactl")
"""Programs that start the first program among their words."""
_ELF = b"\x7fELF"
_INTERPRETER = 3  # the type of the program header that names the dynamic linker


def kind_of(program: str) -> str:
    """Its name, without the suffix by which distributions distinguish variants: mpirun.openmpi."""
    return Path(program).name.partition(".")[0]


def check_command(command: Sequence[str], verb: str = "trace") -> None:
    """Raises WeirError if the command's program is not there, or if a library of Weir's cannot be loaded into
    it or into a program that it starts, being a launcher. The verb of `weir` stands in the advice."""
    if not command:
        raise WeirError("no program is named", "", f"write it behind `--`: weir {verb} -- ./app INPUT")
    found = shutil.which(command[0])
    if found is None:
        raise cannot_run(command[0], verb)
    _check_program(Path(found), verb)
    if kind_of(found) in LAUNCHERS:
        started = (Path(word) for word in command[1:] if "/" in word)
        application = next((path for path in started if path.is_file() and os.access(path, os.X_OK)), None)
        if application is not None:
            _check_program(application, verb)


def _check_program(path: Path, verb: str) -> None:
    if _gains_rights(path):
        raise WeirError(
            f"{path} can load no library of Weir's",
            "it runs with rights of its own (set-uid, set-gid or file capabilities), and the "
            "system then loads none",
            f"take a copy without them: cp {path} copy && weir {verb} -- ./copy",
        )
    if _is_static(path):
        raise WeirError(
            f"{path} can load no library of Weir's",
            "it is linked statically: no library can be put between it and the system",
            "link it dynamically (without -static; on Cray: -dynamic, or CRAYPE_LINK_TYPE=dynamic)",
        )


def _gains_rights(path: Path) -> bool:
    if path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID):
        return os.geteuid() != path.stat().st_uid or bool(path.stat().st_mode & stat.S_ISGID)
    try:
        return bool(os.getxattr(path, "security.capability"))
    except OSError:
        return False


def _is_static(path: Path) -> bool:
    """Is this an ELF program that names no dynamic linker? Scripts have an interpreter of their own."""
    with path.open("rb") as file:
        head = file.read(64)
        if head[:4] != _ELF or len(head) < 64 or head[4] != 2:  # 2: of 64 bits
            return False
        order = "<" if head[5] == 1 else ">"
        offset, size, count = _program_headers(head, order)
        file.seek(offset)
        table = file.read(size * count)
    types = [struct.unpack_from(f"{order}I", table, i)[0] for i in range(0, len(table) - 3, size or 1)]
    return _INTERPRETER not in types and bool(types)


def _program_headers(head: bytes, order: str) -> tuple[int, int, int]:
    (offset,) = struct.unpack_from(f"{order}Q", head, 32)
    size, count = struct.unpack_from(f"{order}HH", head, 54)
    return offset, size, count


def cannot_run(program: str, verb: str) -> WeirError:
    """The error for a word that names no program, be it a name or a path."""
    problem = f"cannot run '{program}'"
    if program.startswith("-"):
        why = f"it is an option, and `weir {verb}` has none of that name"
        return WeirError(problem, why, f"name the program first, as in: weir {verb} -- mpirun -n 4 ./app")
    if "/" not in program:
        advice = "check its name"
        if Path(program).is_file():
            advice = f"write its path: ./{program}"
        return WeirError(problem, "there is no such program in the directories of PATH", advice)
    try:
        mode = Path(program).stat().st_mode
    except OSError as error:
        is_link = error.errno == errno.ENOENT and Path(program).is_symlink()
        why = (
            f"it is a link to '{Path(program).readlink()}', which is not there"
            if is_link
            else _reason_of(error)
        )
        return WeirError(problem, why, "check its path")
    if stat.S_ISDIR(mode):
        return WeirError(problem, "it is a directory", "name a program in it")
    if not stat.S_ISREG(mode):
        return WeirError(problem, "it is no file of a program", "check its path")
    return WeirError(
        problem,
        "it may not be executed",
        f"if it is a program, allow it (chmod +x {program}); if it is a script, name what runs it, too",
    )


def cannot_begin(program: str, error: OSError) -> WeirError:
    """The error for an executable file that the system refuses to start."""
    problem = f"cannot run '{program}'"
    if error.errno == errno.ENOEXEC:
        return WeirError(
            problem,
            f"{_reason_of(error)}: "
            "no program of this machine, and no script with a first line that says what runs it",
            "begin a script with a line as #!/bin/sh",
        )
    interpreter = _interpreter_of(program) if error.errno in (errno.ENOENT, errno.EACCES) else ""
    if interpreter:
        return WeirError(
            problem,
            f"its first line says that '{interpreter}' runs it: {_reason_of(error)}",
            "install that, or name another there",
        )
    return WeirError(problem, _reason_of(error), "check that it is a program of this machine")


def _reason_of(error: OSError) -> str:
    return "there is no such file" if error.errno == errno.ENOENT else str(error.strerror)


def _interpreter_of(program: str) -> str:
    try:
        with Path(shutil.which(program) or program).open("rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    words = first[2:].split()
    return os.fsdecode(words[0]) if first.startswith(b"#!") and words else ""
