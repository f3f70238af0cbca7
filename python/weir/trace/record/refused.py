"""Why a program cannot be started, and what to do."""

import errno
import os
import shutil
import stat
from pathlib import Path

from weir.errors import WeirError


def cannot_run(program: str) -> WeirError:
    """Of a word that names no program: a name is looked for in PATH, a path is one."""
    problem = f"cannot run '{program}'"
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
            else _words_of(error)
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
    """Of one that may be executed, and that the system refuses to begin."""
    problem = f"cannot run '{program}'"
    if error.errno == errno.ENOEXEC:
        return WeirError(
            problem,
            f"{_words_of(error)}: "
            "no program of this machine, and no script with a first line that says what runs it",
            "begin a script with a line as #!/bin/sh",
        )
    interpreter = _interpreter_of(program) if error.errno in (errno.ENOENT, errno.EACCES) else ""
    if interpreter:
        return WeirError(
            problem,
            f"its first line says that '{interpreter}' runs it: {_words_of(error)}",
            "install that, or name another there",
        )
    return WeirError(problem, _words_of(error), "check that it is a program of this machine")


def _words_of(error: OSError) -> str:
    return "there is no such file" if error.errno == errno.ENOENT else str(error.strerror)


def _interpreter_of(program: str) -> str:
    try:
        with Path(shutil.which(program) or program).open("rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    words = first[2:].split()
    return os.fsdecode(words[0]) if first.startswith(b"#!") and words else ""
