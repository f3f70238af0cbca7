"""The back-end uring with the real core: a kernel that refuses it, completions that are short or fail."""

import signal
from pathlib import Path

import pytest

from ..real_core import KIB, MIB, Done, names_in, run_core, run_core_on, storage, write_cases
from .shims import compile_shim
from .test_formats import need_backends
from .test_interrupt import stopped

HEAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <liburing.h>
"""
REFUSED = """
int io_uring_queue_init(unsigned depth, struct io_uring *ring, unsigned flags) {
    (void)depth; (void)ring; (void)flags;
    return -EPERM;
}
"""
LITTLE_MEMORY = """
int io_uring_register_buffers(struct io_uring *ring, const struct iovec *buffers, unsigned count) {
    (void)ring; (void)buffers; (void)count;
    return -ENOMEM;
}
"""
# Changes what the kernel has answered, before it is looked at.
CHANGED = """
static unsigned seen;
int io_uring_submit_and_wait(struct io_uring *ring, unsigned count) {
    int (*real)(struct io_uring *, unsigned) = dlsym(RTLD_NEXT, "io_uring_submit_and_wait");
    int const status = real(ring, count);
    unsigned head;
    struct io_uring_cqe *completion;
    io_uring_for_each_cqe(ring, head, completion) {
        ++seen;
        CHANGE
    }
    return status;
}
"""
SHORT = CHANGED.replace(
    "CHANGE", "if (completion->res > 1024) completion->res = seen % 3 == 0 ? -EAGAIN : completion->res / 2;"
)
FAILING = CHANGED.replace("CHANGE", "if (seen == 100) completion->res = -EIO;")
DEEP = {"backend": "uring", "queue_depth": 8}


@pytest.fixture(autouse=True)
def built() -> None:
    """Skip where the core has no uring."""
    need_backends("uring")


def run_shimmed(source: str, **options: object) -> Done:
    """A small case on two ranks with functions of liburing replaced."""
    return run_core(
        write_cases(storage("one", **{**DEEP, **options})), ranks=2, LD_PRELOAD=compile_shim(HEAD + source)
    )


def skip_if_refused(done: Done) -> None:
    """Skip where this kernel or container lets nobody use io_uring."""
    if any("refuses io_uring" in line["problem"] for line in done.of("failure")):
        pytest.skip(done.failure()["reason"])


def test_a_kernel_that_refuses_it(place: Path) -> None:
    done = run_shimmed(REFUSED).ended(2)
    failure = done.failure()
    assert failure["problem"] == "this machine refuses io_uring"
    assert "io_uring_disabled" in failure["suggestion"]
    assert names_in("store") == []


def test_buffers_beyond_the_limit_on_locked_memory(place: Path) -> None:
    done = run_shimmed(LITTLE_MEMORY, check=True)
    skip_if_refused(done)
    assert done.code == 0, done.talk
    said = {line["hints"]["buffers"] for line in done.of("sample")}
    assert said == {"not registered: beyond the limit on locked memory (ulimit -l)"}


def test_short_completions_are_gone_on_with(place: Path) -> None:
    done = run_shimmed(SHORT, check=True, block=MIB, transfer=64 * KIB, keep=True)
    skip_if_refused(done)
    assert done.code == 0, done.talk
    assert [line["phase"] for line in done.of("sample")] == ["write", "read", "check"]
    assert done.of("sample")[2]["verification"]["wrong"] == 0
    plain = run_shimmed(SHORT, block=MIB, transfer=64 * KIB).ended(0)
    assert [line["operations"] for line in plain.of("sample")] == [32, 32]


@pytest.mark.parametrize("phase", ["write", "read"])
def test_an_error_in_the_middle(place: Path, phase: str) -> None:
    block = 4 * MIB if phase == "write" else MIB // 2  # 512 requests a rank, or 64: then the 100th is read
    done = run_shimmed(FAILING, block=block, transfer=8 * KIB)
    skip_if_refused(done)
    assert done.code == 3, done.talk
    failure = done.failure()
    assert failure["problem"].startswith(f"cannot {phase} ")
    assert failure["reason"] == "Input/output error"
    assert len(done.of("sample")) == (0 if phase == "write" else 1)
    assert names_in("store") == []


def test_a_disk_that_fills_up(place: Path) -> None:
    cases = write_cases(storage("big", block=3 * MIB, check_space=False, **DEEP), storage("small", **DEEP))
    done = run_core_on("-t tmpfs -o size=4m", cases, ranks=2)
    if "refuses io_uring" in done.talk:
        pytest.skip("this machine refuses io_uring")
    assert done.code == 3, done.talk
    assert "No space left" in done.failure("big")["reason"]
    assert len(done.of("sample", "small")) == 2
    assert done.others == []


def test_an_interrupt_in_the_middle(place: Path) -> None:
    skip_if_refused(run_core(write_cases(storage("try", **DEEP))))
    stopped(1, signal.SIGINT, **DEEP).ended(130)
    assert names_in("store") == []
