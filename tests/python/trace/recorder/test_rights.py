"""Programs that give up rights, or have few, do what they do without the recorder."""

from pathlib import Path

import numpy as np
import pytest

from weir.trace.process import read_trace

from ..programs import (
    X86_64,
    Record,
    built_so,
    calls,
    calls_of_all_threads,
    compiled,
    lacking,
    run,
    weir,
    writes,
)

STRICT = """
int fd = open("a", O_RDWR | O_CREAT, 0644);
for (int i = 0; i < 20; ++i) if (write(fd, data, 10) != 10) return 1;
if (ENTER != 0) return 77;
for (int i = 0; i < 5000; ++i) if (write(fd, data, 10) != 10) syscall(SYS_exit, 2);
if (read(fd, data, 100) != 0) syscall(SYS_exit, 3);
syscall(SYS_exit, 5);
"""


ENTER = {
    "prctl": "prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0)",
    "seccomp": "syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, 0)",
}


@pytest.mark.parametrize("way", ENTER)
def test_strict_seccomp(record: Record, tmp_path: Path, way: str) -> None:
    (process,) = record(STRICT.replace("ENTER", ENTER[way]), status=5)
    assert sum(row[0] == "write" for row in calls(process)) == 20
    counted = {fact["lost"]: (fact["calls"], fact["bytes"]) for fact in process.lost}
    assert counted == {"POSIX write": (5000, 50_000), "POSIX read": (1, 0)}
    found = lacking(tmp_path / "trace")
    assert "strict seccomp" in found["restricted"].words["reason"] and "unended" not in found


def test_a_filter_of_system_calls(record: Record, tmp_path: Path) -> None:
    """It allows what the program needs, and kills it for all else."""
    program = """
        #define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \\
                            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
        main:
        struct sock_filter rules[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            ALLOW(write), ALLOW(exit_group), ALLOW(openat),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        };
        struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 77;
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) return 77;
        for (int i = 0; i < 9000; ++i) if (write(fd, data, 1) != 1) return 1;
        int other = open("b", O_RDWR | O_CREAT, 0644);
        if (write(other, data, 5) != 5) return 2;
        return 5;
        """
    (process,) = record(program, status=5)
    counted = {fact["lost"]: fact["calls"] for fact in process.lost}
    assert counted["POSIX write"] >= 9001
    assert "a seccomp filter" in lacking(tmp_path / "trace")["restricted"].words["reason"]


def test_a_counter_that_may_not_be_read(record: Record) -> None:
    (process,) = record("""
        static void *work(void *fd) { return pwrite(*(int *)fd, data, 1, 0) == 1 ? NULL : (exit(1), fd); }
        main:
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        usleep(20000);
        pwrite(fd, data, 1, 0);
        if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) return 77;
        for (int i = 0; i < 6000; ++i) pwrite(fd, data, 1, i);
        struct timespec wait = {0, 50000000};
        nanosleep(&wait, NULL);
        pwrite(fd, data, 1, 0);
        in_threads(1, work, &fd);
        """)
    records = process.streams[0].records
    assert len(records) == 6003 and len(process.streams) == 2
    ends = records["end_ticks"].astype(np.int64)
    assert (np.diff(ends) >= 0).all() and (records["begin_ticks"] <= records["end_ticks"]).all()
    rate = process.streams[0].ticks_per_ns
    slept = (int(ends[-1]) - int(ends[-2])) / rate
    assert 45e6 < slept < 5e9
    assert process.ended


def test_a_program_with_the_address_sanitizer(tmp_path: Path) -> None:
    body = 'return write(open("a", O_RDWR | O_CREAT, 0644), data, 9) == 9 ? 5 : 1;'
    program = built_so(tmp_path, "program", body, "-fsanitize=address")
    weir("trace", "-o", "T", "--", program, cwd=tmp_path, status=5)
    rows = [row for process in read_trace(tmp_path / "T") for row in calls_of_all_threads(process)]
    assert ("write", "a", 0, 9, 9) in rows


@X86_64
def test_children_of_fork_and_clone_by_number(tmp_path: Path) -> None:
    """A child of fork() and of clone() by number, each with files of its own."""
    program = compiled(
        tmp_path,
        """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 2; ++i) {
            long child = i == 0 ? syscall(SYS_fork) : syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
            if (child == 0) { for (int k = 0; k < 30; ++k) pwrite(fd, data, 1, k); _exit(0); }
            int status;
            waitpid(child, &status, 0);
            if (status != 0) return 1;
        }
        for (int k = 0; k < 40; ++k) pwrite(fd, data, 1, k);
        """,
    )
    done = run([program], tmp_path)
    assert done.returncode == 0
    processes = read_trace(tmp_path / "trace")
    assert sorted(len(writes(process)) for process in processes) == [30, 30, 40]
