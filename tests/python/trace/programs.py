"""Small C programs whose I/O is known, recorded. What is compiled twice in a session is compiled once."""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from running import ended
from weir.answers.answer import Caveat
from weir.explain.rule import lacks
from weir.explain.summarise import head_of
from weir.trace.load import load_trace
from weir.trace.process import Process, read_trace

ROOT = Path(__file__).parents[3]
RECORDER = ROOT / "build" / "release" / "lib" / "libweir-trace.so"

_HEADERS = """
aio dirent dlfcn errno fcntl limits pthread setjmp signal spawn stddef
stdio stdlib string sys/auxv sys/mman sys/prctl sys/resource sys/sendfile sys/stat sys/syscall
sys/time sys/uio sys/wait unistd linux/filter linux/seccomp
"""
HEAD = "\n".join(["#define _GNU_SOURCE", *(f"#include <{name}.h>" for name in _HEADERS.split())])
HEAD += """
static char data[1 << 16];
static inline void in_threads(int count, void *(*work)(void *), void *argument) {
    pthread_t thread[16];
    for (int i = 0; i < count; ++i) pthread_create(&thread[i], NULL, work, argument);
    for (int i = 0; i < count; ++i) pthread_join(thread[i], NULL);
}
"""


AS_WRITTEN = ("-O0", "-fno-builtin")
"""Compilers otherwise put one function of stdio for another."""


Done = subprocess.CompletedProcess[str]
Record = Callable[..., list[Process]]
"""`record_program` in the folder of a test."""

_built = tempfile.TemporaryDirectory(prefix="weir-programs-")


def need(*programs: str) -> None:
    """Skips the test where the recorder is not built, or one of these programs is missing."""
    missing = [name for name in programs if shutil.which(name) is None]
    if missing or not RECORDER.exists():
        pytest.skip(f"there is no {' and no '.join(missing)}" if missing else "the recorder is not built")


def record_program(
    tmp_path: Path,
    body: str,
    env: dict[str, str] | None = None,
    status: int = 0,
    options: tuple[str, ...] = ("-O1",),
) -> list[Process]:
    """Compile a program, run it in an empty folder under the recorder, read the trace."""
    done = run([compiled(tmp_path, body, options)], tmp_path, env)
    assert done.returncode == status, done.stderr
    return read_trace(tmp_path / "trace")


def compiled(tmp_path: Path, body: str, options: tuple[str, ...] = ("-O1",)) -> Path:
    """The program `program` of this C, see `source_of`."""
    need("cc")
    program, errors = build(source_of(body), ".c", "cc", *options, "-lpthread")
    assert program, errors
    return Path(shutil.copy(program, tmp_path / "program"))


def built_so(tmp_path: Path, name: str, body: str, *options: str) -> Path:
    """A program that the compiler may refuse to build with these options; then the test is skipped."""
    need("cc")
    program, _ = build(source_of(body), ".c", "cc", "-O1", *options)
    if program is None:
        pytest.skip(f"there is no C compiler that makes a program with {' '.join(options)}")
    return Path(shutil.copy(program, tmp_path / name))


def source_of(body: str) -> str:
    """C of this program, or of this body of main() where there is none in it."""
    return f"{HEAD}\n{body if 'main(' in body else in_main(body)}"


def in_main(body: str, begin: str = "", end: str = "") -> str:
    """A program of this body of main(), above which functions and a line `main:` may stand."""
    functions, _, statements = body.rpartition("main:\n")
    return f"{functions}\nint main(int argc, char **argv) {{\n{begin}\n{statements}\n{end}\nreturn 0;\n}}\n"


@functools.cache
def build(source: str, suffix: str, compiler: str, *options: str) -> tuple[Path | None, str]:
    """The program of this source, and what the compiler said; None where it refuses. Options that follow the
    source begin with -l."""
    folder = Path(tempfile.mkdtemp(dir=_built.name))
    text, program = folder / f"program{suffix}", folder / "program"
    text.write_text(source)
    libraries = [option for option in options if option.startswith("-l")]
    others = [option for option in options if option not in libraries]
    command = [compiler, *others, "-o", program, text, *libraries]
    done = ended(*command, cwd=folder)
    return (None if done.returncode else program), done.stderr


def run(command: list[str | Path], tmp_path: Path, env: dict[str, str] | None = None) -> Done:
    """Run a command in an empty folder, `store`, under the recorder. Its trace goes to `trace`."""
    need()
    store, folder = tmp_path / "store", tmp_path / "trace"
    store.mkdir()
    folder.mkdir(exist_ok=True)
    recorder = {"LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(folder)}
    return ended(*command, cwd=store, env={**os.environ, **recorder, **(env or {})})


WEIR = [sys.executable, "-m", "weir.cli.main"]
ENVIRONMENT = {**os.environ, "WEIR_TRACE_LIBRARY": str(RECORDER)}
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may do what the program does")
X86_64 = pytest.mark.skipif(os.uname().machine != "x86_64", reason="the program makes system calls of x86-64")


def weir(*words: str | bytes | Path, cwd: Path | None = None, status: int | None = None) -> Done:
    """Run `weir` with this recorder; it must end with `status` where that is given."""
    if words[0] == "trace":
        need()
    done = ended(*WEIR, *words, cwd=cwd, env=ENVIRONMENT)
    assert status is None or done.returncode == status, done.stderr
    return done


def small_disk(folder: Path, size: str) -> str:
    """How a shell behind unshare mounts a small file system on this folder, which is made. Skips the test
    where it may not."""
    need("unshare")
    folder.mkdir()
    mount = f"mount -t tmpfs -o size={size} none {folder}"
    if ended("unshare", "-m", "sh", "-c", mount).returncode:
        pytest.skip("this user may not mount a small file system")
    return mount


def need_strace() -> None:
    """Skips the test where strace is missing, or may not trace."""
    need("strace")
    if ended("strace", "-o", "/dev/null", "true").returncode != 0:
        pytest.skip("strace may not trace here")


def lacking(folder: Path) -> dict[str, Caveat]:
    """What a trace does not have, by code; of several with one code, the first."""
    found: dict[str, Caveat] = {}
    for one in lacks(head_of(load_trace(folder))):
        found.setdefault(one.code, one)
    return found


def exported(library: Path) -> set[str]:
    """Functions that a library offers. Skips the test where there is no nm, which tells them."""
    need("nm")
    lines = [line.split() for line in ended("nm", "-D", "--defined-only", library).stdout.splitlines()]
    return {line[2].split("@")[0] for line in lines if line[1] in "TWi"} - {"_init", "_fini"}


def calls(process: Process, thread: int = 0) -> list[tuple[str, str, int, int, int]]:
    """What a thread did: call, file's name, offset, length, result."""
    rows = []
    for record in process.streams[thread].records:
        file = process.names.files.get(int(record["file"]))
        name = "" if file is None else Path(file.name).name
        numbers = (int(record[column]) for column in ("offset", "length", "result"))
        rows.append((process.names.calls[int(record["call"])].name, name, *numbers))
    return rows


def calls_of_all_threads(process: Process) -> list[tuple[str, str, int, int, int]]:
    """What all threads did, one thread after the other."""
    return [row for thread in range(len(process.streams)) for row in calls(process, thread)]


def assert_told(source: str, found: Iterable[Sequence[object]], **values: object) -> None:
    """These rows are what the program's comments tell of its calls, `//= CALL FILE OFFSET LENGTH RESULT; ...`
    or the first words of that. There, `-` is an empty name, `*` is anything, {NAME} is one of these values,
    and `@` the function of a library that the line calls. Calls that a comment `//? CALL` names are left
    out."""
    left_out = re.findall(r"//\? (\w+)", source)
    wanted = []
    for code, comment in re.findall("(.*)//= (.+)", source):
        function = re.search(r"\b(?:H5|MPI_|ncmpi_)\w+?(?=(_c)?\()", code)
        rows = [one.split() for one in comment.format(**values).split(";")]
        wanted += [[function[0], *row[1:]] if function and row[0] == "@" else row for row in rows if row]
    made = [[str(word) or "-" for word in row] for row in found if row[0] not in left_out]
    for words, row in zip(wanted, made, strict=False):
        row[:] = ["*" if word == "*" else cell for word, cell in zip(words, row, strict=False)]
    assert made == wanted


def writes(process: Process) -> list[tuple[int, int]]:
    """Offsets and results of all that wrote, of all threads."""
    rows = calls_of_all_threads(process)
    return [(row[2], row[4]) for row in rows if row[0] in ("write", "pwrite", "writev", "fwrite")]
