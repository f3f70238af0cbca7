"""O_DIRECT: said where it was used, refused with advice where it cannot be."""

import os
import re
from pathlib import Path

import pytest

from ..real_core import Done, names_in, run_cases, run_core, run_core_on, storage
from .shims import compile_shim

DIRECT = ("storage", "--dir", "store", "--direct", "--block", "64KiB", "--transfer", "64KiB")

REFUSE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int refuse(char const* name, char const* path, int flags, int mode) {
    if ((flags & O_DIRECT) != 0) {
        errno = EINVAL;
        return -1;
    }
    int (*real)(char const*, int, ...) = (int (*)(char const*, int, ...))dlsym(RTLD_NEXT, name);
    return real(path, flags, mode);
}
#define REPLACE(name)                              \\
    int name(char const* path, int flags, ...) {   \\
        va_list rest;                              \\
        va_start(rest, flags);                     \\
        int const mode = va_arg(rest, int);        \\
        va_end(rest);                              \\
        return refuse(#name, path, flags, mode);   \\
    }
REPLACE(open)
REPLACE(open64)
"""


def assert_refused_with_advice(done: Done) -> None:
    assert done.code == 3, done.talk
    failure = done.failure()
    assert failure["exit_code"] == 3
    assert "O_DIRECT" in failure["problem"]
    assert "refuses O_DIRECT" in failure["suggestion"] and "--cache drop" in failure["suggestion"]
    assert done.of("sample") == []
    assert len(done.errors) == 1


def test_a_file_system_that_refuses_it(place: Path) -> None:
    """ramfs knows no O_DIRECT; tmpfs does since Linux 6.6."""
    done = run_core_on("-t ramfs", *DIRECT)
    assert_refused_with_advice(done)
    assert done.others == []


def test_an_open_that_refuses_it(place: Path) -> None:
    """The same without mounting: an `open` in front of the real one."""
    assert_refused_with_advice(run_core(*DIRECT, LD_PRELOAD=compile_shim(REFUSE)))
    assert names_in("store") == []


def need_direct(folder: str) -> None:
    try:
        os.close(os.open(Path(folder, "probe"), os.O_CREAT | os.O_RDWR | os.O_DIRECT))
    except OSError:
        pytest.skip("the file system of the temporary directory refuses O_DIRECT")
    finally:
        Path(folder, "probe").unlink(missing_ok=True)


def test_an_unaligned_size_is_refused_with_one_that_would_do(place: Path) -> None:
    need_direct("store")
    refused = run_core(*DIRECT[:4], "--block", "1000B", "--transfer", "1000B").ended(2)
    failure = refused.failure()
    assert failure["exit_code"] == 2
    advised = re.search(r"(\d+) bytes", failure["suggestion"])
    assert advised is not None
    assert refused.of("sample") == [] and names_in("store") == []
    size = advised.group(1) + "B"
    assert run_core(*DIRECT[:4], "--block", size, "--transfer", size).code == 0


def test_the_record_says_that_the_cache_was_avoided(place: Path) -> None:
    need_direct("store")
    done = run_cases(storage("direct", direct=True), storage("kept"))
    assert done.samples("read", "direct")[0]["cache"]["methods"] == ["direct"]
    assert done.samples("read", "kept")[0]["cache"]["methods"] == []
    assert done.samples("write", "direct")[0]["cache"] is None
