"""What cannot be recorded is said first: with the program, and the reason."""

import os
import shutil
import signal
import sys
import textwrap
from pathlib import Path

import pytest

from running import ended
from weir.answers.answer import Caveat
from weir.answers.words import caveat_words
from weir.explain.rule import lacks
from weir.explain.summarise import head_of
from weir.trace.load import load_trace
from weir.trace.process import read_trace

from ..programs import AS_ROOT, X86_64, Record, built_so, calls, compiled, lacking, weir

WRITES_ALONE = """
int fd = open("alone", O_RDWR | O_CREAT, 0644);
for (int i = 0; i < 100; ++i) if (write(fd, data, sizeof data) != sizeof data) return 1;
"""


def traced(tmp_path: Path, *command: str | Path, status: int = 0) -> dict[str, Caveat]:
    """What is lacking, by code, of a command that ran under `weir trace`, in the folder `store`."""
    (tmp_path / "store").mkdir(exist_ok=True)
    done = weir("trace", "-o", tmp_path / "trace", "--", *command, cwd=tmp_path / "store", status=status)
    found = lacks(head_of(load_trace(tmp_path / "trace")))
    assert all(caveat_words(one) in done.stderr for one in found), "the line after the program tells it too"
    return lacking(tmp_path / "trace")


def unseen_bytes(found: dict[str, Caveat]) -> dict[str, float | str]:
    """That the kernel counts, and of which no call was seen."""
    return {one.label: one.value for one in found["kernel"].evidence}


ALL_BYTES = {"written": pytest.approx(6.25 * 2**20, abs=10_000)}
"""Besides those that the recorder writes itself."""


AFTER_CHROOT = """
static void write_times(char const *name, int times) {
    int file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0666);
    for (int i = 0; i < times; ++i) if (write(file, "0123456789", 10) != 10) exit(1);
}
main:
mkdir("root", 0755);
if (chroot("root") != 0 || chdir("/") != 0) return 77;
write_times("parent", 20000);
if (fork() == 0) { write_times("child", 10); exit(0); }
int status;
wait(&status);
return status != 0;
"""


@AS_ROOT
def test_calls_after_chroot_are_recorded_or_counted(tmp_path: Path) -> None:
    found = traced(tmp_path, compiled(tmp_path, AFTER_CHROOT))
    (process,) = read_trace(tmp_path / "trace")
    kept = [row for row in calls(process) if row[0] == "write"]
    assert kept and {row[1] for row in kept} == {"parent"}
    assert len(kept) + sum(fact["calls"] for fact in process.lost if fact["lost"] == "POSIX write") == 20010
    assert process.ended
    assert "could not reach the trace" in found["lost-calls"].words["why"]
    assert "chroot" in found["restricted"].words["reason"]
    assert "unended" not in found


@AS_ROOT
def test_calls_after_chroot_that_found_room_are_told_as_no_others(tmp_path: Path) -> None:
    few = AFTER_CHROOT.replace('"parent", 20000', '"parent", 20').replace('"child", 10', '"child", 0')
    few = few.replace("if (fork() == 0)", "if (0)").replace("wait(&status);", "status = 0;")
    found = traced(tmp_path, compiled(tmp_path, few))
    (process,) = read_trace(tmp_path / "trace")
    assert len([row for row in calls(process) if row[0] == "write"]) == 20 and not process.lost
    assert not found


@AS_ROOT
def test_a_child_that_ends_in_a_chroot_does_not_end_its_parent(record: Record) -> None:
    body = AFTER_CHROOT.replace("return status != 0;", "raise(SIGKILL);")
    (process,) = record(body, status=-signal.SIGKILL)
    assert process.counts is not None and process.counts.lost
    assert not process.ended


@AS_ROOT
def test_a_chroot_to_where_the_trace_is_changes_nothing(record: Record, tmp_path: Path) -> None:
    (process,) = record("""
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        if (chroot("/") != 0) return 1;
        for (int i = 0; i < 9000; ++i) pwrite(fd, data, 1, i);
        """)
    assert sum(row[0] == "pwrite" for row in calls(process)) == 9000
    assert not process.lost and process.counts is None
    assert not list((tmp_path / "trace").glob("*.counts"))


@AS_ROOT
def test_calls_of_another_user_are_counted(tmp_path: Path) -> None:
    body = """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        if (setgid(65534) != 0 || setuid(65534) != 0) return 1;
        for (int i = 0; i < 9000; ++i) if (pwrite(fd, data, 3, i) != 3) return 2;
        """
    found = traced(tmp_path, compiled(tmp_path, body))
    (process,) = read_trace(tmp_path / "trace")
    kept = sum(row[0] == "pwrite" for row in calls(process))
    (lost,) = process.lost
    assert (lost["lost"], kept + lost["calls"]) == ("POSIX pwrite", 9000)
    assert lost["bytes"] == 3 * lost["calls"] > 0
    assert "another user" in found["restricted"].words["reason"]


def test_what_a_static_child_of_a_shell_moved_is_told(tmp_path: Path) -> None:
    alone = built_so(tmp_path, "static", WRITES_ALONE, "-static")
    found = traced(tmp_path, "sh", "-c", f"{alone}; true")
    assert found["static"].words["program"] == str(alone)
    assert unseen_bytes(found) == ALL_BYTES


@X86_64
def test_a_program_that_makes_system_calls_of_its_own(tmp_path: Path) -> None:
    body = """
        static long raw(long number, long a, long b, long c) {
            long result;
            asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                         : "rcx", "r11", "memory");
            return result;
        }
        main:
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 100; ++i) raw(1, fd, (long)data, sizeof data);
        if (getenv("LEAVE")) raw(231, 5, 0, 0);
        if (getenv("GO_ON")) execl("/bin/sh", "sh", "-c", "exit 5", NULL);
        return 5;
        """
    program = compiled(tmp_path, body)
    words = ([], ["env", "LEAVE=1"], ["env", "GO_ON=1"])
    for command in (*([*some, program] for some in words), ["sh", "-c", f"LEAVE=1 {program}; exit $?"]):
        found = traced(tmp_path, *command, status=5)
        assert unseen_bytes(found) == ALL_BYTES
        shutil.rmtree(tmp_path / "trace")


@X86_64
def test_the_records_of_a_program_that_told_no_end_are_none_of_its_data(tmp_path: Path) -> None:
    body = """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 30000; ++i) if (pwrite(fd, data, 1, i) != 1) return 1;
        if (getenv("LEAVE")) asm volatile("syscall" : : "a"(231L), "D"(5L) : "rcx", "r11", "memory");
        return 5;
        """
    program = compiled(tmp_path, body)
    for command in (["env", "LEAVE=1", program], ["sh", "-c", f"LEAVE=1 {program}; exit $?"]):
        found = traced(tmp_path, *command, status=5)
        assert "kernel" not in found
        shutil.rmtree(tmp_path / "trace")


ORDINARY = {
    "a shell": "cat big | sort | tr a b | wc -c; head -2000 words | while read -r x; do echo $x; done",
    "a subshell": f"for i in {{1..6000}}; do echo {'x' * 100}; done | cat",
    "a copy": "cp big copy && tar cf all.tar big copy && gzip -kf big && cmp big copy",
    "a pipe that is closed": "tr a b < big | od | head -c 300000; true",
    "characters": "cut -c1-30 words > cut; cut -c1-30 words | cat; grep -c a big; sed s/a/b/ words",
    "python": f"{sys.executable} -c \"import json, email; print(len(open('big', 'rb').read()))\"",
    "a vague child": "sh -c 'cat big; kill -9 $$' | cat > /dev/null; true",
}


@pytest.mark.parametrize("which", ORDINARY)
def test_of_ordinary_programs_all_is_seen(tmp_path: Path, which: str) -> None:
    store = tmp_path / "store"
    store.mkdir()
    (store / "big").write_bytes(bytes(range(256)) * 20_000)
    (store / "words").write_text("some words and some more, in a line\n" * 60_000)
    found = traced(tmp_path, "bash", "-c", ORDINARY[which])
    assert "kernel" not in found


def test_a_child_with_an_empty_environment_is_recorded(tmp_path: Path) -> None:
    alone = compiled(tmp_path, WRITES_ALONE)
    starts = f"""
        import os, subprocess
        subprocess.run(["{alone}"], env={{}}, check=True)
        os.posix_spawn("{alone}", ["{alone}"], {{}})
        os.wait()
        pid = os.fork()
        if pid == 0:
            os.execve("{alone}", ["{alone}"], {{"ONLY": "this"}})
        os.wait()
    """
    found = traced(tmp_path, sys.executable, "-c", textwrap.dedent(starts))
    processes = read_trace(tmp_path / "trace")
    own = [one for one in processes if one.facts["command"].startswith(str(alone))]
    assert [len(calls(process)) for process in own] == [101] * 3
    assert not found


def test_a_child_from_which_the_recorder_is_kept_is_left_alone(tmp_path: Path) -> None:
    alone = compiled(tmp_path, WRITES_ALONE)
    found = traced(tmp_path, "sh", "-c", f"env -u LD_PRELOAD {alone}; true")
    assert found["left"].words["program"] == str(alone)


@AS_ROOT
def test_a_set_uid_program_is_not_told_as_killed(tmp_path: Path) -> None:
    program = built_so(tmp_path, "other", "int main(void) { return 3; }")
    os.chown(program, 1, 1)
    program.chmod(0o4755)
    for script in (f"echo x > f; exec {program}", f"echo x > f; {program}"):
        found = traced(tmp_path, "bash", "-c", script, status=3)
        assert "rights" in found and "unended" not in found
        shutil.rmtree(tmp_path / "trace")


def test_a_ring_of_requests_is_told(tmp_path: Path) -> None:
    body = """
        char settings[200] = {0};
        int ring = syscall(SYS_io_uring_setup, 4, settings);
        unsigned long context = 0;
        int failed = syscall(SYS_io_setup, 4, &context);
        return ring < 0 || failed ? 77 : 0;
        """
    program = compiled(tmp_path, body)
    if ended(program).returncode == 77:
        pytest.skip("this kernel has no rings, or forbids them")
    traced(tmp_path, program)
    made = [one for one in lacks(head_of(load_trace(tmp_path / "trace"))) if one.code == "ring"]
    assert {one.words["ring"] for one in made} == {"io_uring", "libaio"}


@X86_64
def test_a_ring_that_was_made_past_the_c_library_is_found(tmp_path: Path) -> None:
    body = """
        char settings[200] = {0};
        long ring;
        asm volatile("syscall" : "=a"(ring) : "a"(425), "D"(4), "S"(settings) : "rcx", "r11", "memory");
        return ring < 0 ? 77 : 0;
        """
    program = compiled(tmp_path, body)
    if ended(program).returncode == 77:
        pytest.skip("this kernel has no io_uring, or forbids it")
    assert traced(tmp_path, program)["ring"].words["ring"] == "io_uring"


def test_a_trace_that_could_not_be_written_at_all_is_told(record: Record, tmp_path: Path) -> None:
    record('close(open("a", O_RDWR | O_CREAT, 0644));')
    (facts,) = (tmp_path / "trace").glob("*.process")
    for other in (tmp_path / "trace").iterdir():
        if other != facts:
            other.unlink()
    facts.write_bytes(b"")
    assert not lacking(tmp_path / "trace"), "it was killed as it began"
    facts.with_suffix(".names").touch()
    assert lacking(tmp_path / "trace").keys() == {"silent"}
    assert load_trace(tmp_path / "trace").began_real_ns > 10**18


def test_a_program_that_may_write_no_file_is_told(tmp_path: Path) -> None:
    reads = compiled(tmp_path, 'return read(open("/proc/self/exe", O_RDONLY), data, 10) != 10;')
    found = traced(tmp_path, "sh", "-c", f"ulimit -f 0; {reads}; true")
    assert "silent" in found
    weir("pack", tmp_path / "trace", "-o", "packed", cwd=tmp_path)
    done = weir("explain", "--no-page", "packed", cwd=tmp_path)
    assert caveat_words(found["silent"]) in " ".join(done.stdout.split())
