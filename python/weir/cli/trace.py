"""`weir trace`: record what a program asks of storage."""

import contextlib
import importlib.util
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import RedactOption, writes
from weir.errors import WeirError
from weir.extras import how_to_install
from weir.handed.takes import Takes

CommandArgument = Annotated[
    list[str],
    typer.Argument(metavar="-- PROGRAM ...", help="The program with its arguments, or a launcher with them."),
    Takes(("program",), first=True),
]
FolderOption = Annotated[
    Path | None, typer.Option("--out", "-o", help="The trace's folder. Default: trace-PROGRAM.")
]
LimitOption = Annotated[
    str | None,
    typer.Option(
        "--limit",
        metavar="SIZE",
        help="Size limit for the records of a process; beyond it, calls are only counted. Default: 4GiB.",
    ),
]
OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="PATH", help="Record only files whose paths begin with this."),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="PATH", help="Do not record files whose paths begin with this."),
]
FilesOnlyOption = Annotated[
    bool,
    typer.Option(
        "--files-only",
        help="Record only the C library's calls: for programs that check whether MPI or HDF5 exists.",
    ),
]
TAKES_A_COMMAND = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@writes
def command(
    program: CommandArgument,
    out: FolderOption = None,
    limit: LimitOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    files_only: FilesOnlyOption = False,
    redact: RedactOption = False,
) -> int:
    """Run PROGRAM unchanged and record its I/O requests: weir trace -o T -- mpirun -np 8 ./app INPUT.

    Works with any dynamically linked program, with or without MPI. Input, output and exit status are the
    program's; Weir's messages go to standard error. `weir explain` shows the trace.
    """
    from weir.trace.record.recorder import Recording
    from weir.trace.record.run import default_folder, record
    from weir.units import parse_bytes

    folder = out or default_folder(program)
    recording = Recording(
        folder,
        parse_bytes(limit) if limit else None,
        tuple(only or ()),
        tuple(exclude or ()),
        files_only,
        redact,
    )
    status = record(program, recording)
    with contextlib.suppress(OSError):  # nobody listens any more
        print(_words_in_any_case(folder, program), file=sys.stderr)
    return status


command.context_settings = TAKES_A_COMMAND  # type: ignore[attr-defined]


def _words_in_any_case(folder: Path, program: list[str]) -> str:
    """What was recorded; the program has run, and its exit status counts, whatever becomes of what looks at
    its trace."""
    try:
        return text_of_child(lambda: _words(folder, program))
    except Exception as error:
        return f"weir: recorded in {folder}, but it cannot be told what: {error or type(error).__name__}"


def _words(folder: Path, program: list[str]) -> str:
    """What was recorded, in a line, or why that is not known."""
    from weir.errors import WeirError

    try:
        return _told(folder, program)
    except WeirError as error:
        return f"weir: recorded in {folder}, but it cannot be told what: {error}"
    except Exception as error:
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return f"weir: recorded in {folder}, but it cannot be told what: {why}"


def _told(folder: Path, program: list[str]) -> str:
    from weir.trace.open import import_numpy, is_trace, open_trace
    from weir.trace.record.program import PARALLEL, kind_of
    from weir.units import format_bytes

    if not is_trace(folder):
        return (
            f"weir: nothing was recorded in {folder}: no program that ran could load the recorder "
            "(is the one that a script or launcher starts linked statically?)"
        )
    if importlib.util.find_spec("numpy") is None:
        return f"weir: recorded in {folder}; to see it, install NumPy, {how_to_install('trace')}"
    import_numpy()
    from weir.answers.words import caveat_words
    from weir.explain.rule import lacks
    from weir.explain.summarise import head_of
    from weir.printable import printable, shell_word
    from weir.units import count_words

    trace = open_trace(folder)
    size = format_bytes(sum(path.stat().st_size for path in folder.iterdir()))
    lost = sum(one.calls for one in trace.lost)
    more = f", {count_words(lost, 'more was', 'more were')} only counted" if lost else ""
    made = f"{count_words(trace.recorded, 'call')} of {head_of(trace).who} recorded"
    what = f"{made} in {printable(str(folder))} ({size}){more}"
    if kind_of(program[0]) in PARALLEL and not trace.ranked:
        what += " but no rank: its program could not load the recorder (is it linked statically?)"
    lacking = "".join(f"\nweir: {printable(caveat_words(one))}" for one in lacks(head_of(trace)))
    return f"weir: {what}; see them with: weir explain {shell_word(str(folder))}{lacking}"


def text_of_child(work: Callable[[], str]) -> str:
    """What `work` returns in a child, which says nothing on standard error: what ends the child ends no more.
    Raises WeirError where it ended without: by a library that ends its process when memory is short, say."""
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError as error:
        os.close(reading)
        os.close(writing)
        raise WeirError("no process could be started for it", str(error.strerror)) from None
    if child == 0:
        _work(work, reading, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            text = pipe.read()
    except KeyboardInterrupt:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise WeirError("interrupted") from None
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        how = f"it ended with {status}" if status > 0 else f"{signal.Signals(-status).name} ended it"
        raise WeirError("the process that looks at it has failed", f"{how}: is memory short, or bounded?")
    return text.decode("utf-8", "surrogateescape")


def _work(work: Callable[[], str], reading: int, writing: int) -> None:
    """In the child."""
    status = 1
    try:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # libraries talk of their troubles before they end
        text = work().encode("utf-8", "surrogateescape")
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(text)
        status = 0
    finally:
        with contextlib.suppress(OSError):
            os._exit(status)
