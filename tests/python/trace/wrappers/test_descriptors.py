"""What stands behind descriptors and names: duplicates, ranges, children, directories, pipes, memory."""

import re
from pathlib import Path

import pytest

from ..programs import RECORDER, Record, calls, compiled, run, strace_or_skip


def test_a_duplicate_that_is_closed_leaves_the_other(record: Record) -> None:
    (process,) = record("""
        int fd = open("a", O_RDWR | O_CREAT, 0644), other = dup(fd), third = fcntl(fd, F_DUPFD, 40);
        close(other);
        int b = open("b", O_RDWR | O_CREAT, 0644);
        write(b, data, 100);
        write(fd, data, 8);
        close(fd);
        int c = open("c", O_RDWR | O_CREAT, 0644);
        write(c, data, 30);
        write(third, data, 8);
        write(b, data, 1);
        """)
    assert [row[:4] for row in calls(process) if row[0] == "write"] == [
        ("write", "b", 0, 100),
        ("write", "a", 0, 8),
        ("write", "c", 0, 30),
        ("write", "a", 8, 8),
        ("write", "b", 100, 1),
    ]


def test_a_range_that_is_closed_at_exec_only_stays_open(record: Record) -> None:
    (process,) = record("""
        #define CLOSE_ON_EXEC 4
        int main(void) {
            int fd = open("a", O_RDWR | O_CREAT, 0644);
            write(fd, data, 10);
            rename("a", "b");
            if (close_range(fd, fd, CLOSE_ON_EXEC) != 0) return 77;
            write(fd, data, 20);
            if (close_range(fd, fd, 0) != 0) return 1;
            fd = open("c", O_RDWR | O_CREAT, 0644);
            write(fd, data, 5);
            return 0;
        }
        """)
    # It is asked for the descriptor's name no second time, when the file has another.
    assert [row[:4] for row in calls(process) if row[0] == "write"] == [
        ("write", "a", 0, 10),
        ("write", "a", 10, 20),
        ("write", "c", 0, 5),
    ]


def test_a_child_numbers_names_for_itself(record: Record) -> None:
    processes = record("""
        static void use(char const *name, int bytes) {
            int fd = open(name, O_RDWR | O_CREAT, 0644);
            write(fd, data, bytes);
            close(fd);
        }
        int main(void) {
            use("a", 1); use("b", 2); use("c", 3);
            if (fork() == 0) { use("c", 3); use("a", 1); use("b", 2); use("d", 4); _exit(0); }
            wait(NULL);
            return 0;
        }
        """)
    for process in processes:
        written = {row[1]: row[3] for row in calls(process) if row[0] == "write"}
        assert written == dict(zip("abcd", (1, 2, 3, 4), strict=True)) or written == {"a": 1, "b": 2, "c": 3}
    assert sorted(len(calls(process)) for process in processes) == [9, 12]


def test_a_child_has_the_whole_bound_for_itself(record: Record) -> None:
    processes = record(
        """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 15000; ++i) pwrite(fd, data, 1, i);
        if (fork() == 0) { for (int i = 0; i < 15000; ++i) pwrite(fd, data, 1, i); _exit(0); }
        wait(NULL);
        """,
        env={"WEIR_TRACE_LIMIT": "1M"},
    )
    assert [len(process.streams[0].records) for process in processes] == [15001, 15000]
    assert 15001 * processes[0].streams[0].records.itemsize > 2**19, "the bound would not do for both"
    assert not any(process.lost for process in processes)


def test_names_are_relative_to_a_directorys_descriptor(record: Record, tmp_path: Path) -> None:
    (process,) = record("""
        mkdir("sub", 0755);
        int sub = open("sub", O_RDONLY | O_DIRECTORY);
        close(openat(sub, "a", O_RDWR | O_CREAT, 0644));
        struct stat facts;
        fstatat(sub, "a", &facts, 0);
        renameat(sub, "a", sub, "b");
        return unlinkat(sub, "b", 0);
        """)
    folder = tmp_path / "store" / "sub"
    records = process.streams[0].records
    named = [
        (process.names.calls[int(one["call"])].name, Path(process.names.files[int(one["file"])].name))
        for one in records
        if process.names.calls[int(one["call"])].name in ("openat", "fstatat", "renameat", "unlinkat")
    ]
    assert named == [
        ("openat", folder / "a"),
        ("fstatat", folder / "a"),
        ("renameat", folder / "b"),
        ("unlinkat", folder / "b"),
    ]


def test_a_pipe_and_a_file(record: Record) -> None:
    (process,) = record("""
        int pipes[2], from = open("from", O_RDWR | O_CREAT, 0644);
        int to = open("to", O_RDWR | O_CREAT, 0644);
        off_t at = 30, there = 70;
        if (pipe(pipes) != 0) return 1;
        pwrite(from, data, 100, 0);
        if (splice(from, &at, pipes[1], NULL, 50, 0) != 50) return 2;
        if (splice(pipes[0], NULL, to, &there, 50, 0) != 50) return 3;
        if (splice(from, NULL, pipes[1], NULL, 20, 0) != 20) return 4;
        if (splice(pipes[0], NULL, to, NULL, 20, 0) != 20) return 5;
        """)
    assert [row for row in calls(process) if row[0] == "splice"] == [
        ("splice", "from", 30, 50, 50),
        ("splice", "to", 70, 50, 50),
        ("splice", "from", 0, 20, 20),
        ("splice", "to", 0, 20, 20),
    ]
    kinds = [process.names.calls[int(one["call"])] for one in process.streams[0].records]
    assert [kind.kind for kind in kinds if kind.name == "splice"] == ["read", "write"] * 2


def test_files_in_memory(record: Record) -> None:
    (process,) = record("""
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        ftruncate(fd, 20000);
        char *place = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 8192);
        if (place == MAP_FAILED) return 1;
        place[7] = 1;
        if (msync(place, 4096, MS_SYNC) != 0) return 2;
        // No file, whatever the descriptor says.
        if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, fd, 0) == MAP_FAILED) return 3;
        return mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 1) == MAP_FAILED && errno == EINVAL ? 0 : 4;
        """)
    assert [row for row in calls(process) if row[0] in ("mmap", "msync")] == [
        ("mmap", "a", 8192, 4096, 0),
        ("msync", "", -1, 4096, 0),
        ("mmap", "a", 1, 4096, -22),
    ]


def test_asynchronous_syncs_move_no_bytes(record: Record) -> None:
    (process,) = record("""
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        struct aiocb one = {.aio_fildes = fd, .aio_buf = data, .aio_nbytes = 100, .aio_offset = 5};
        struct aiocb const *wanted[] = {&one};
        if (aio_write(&one) != 0) return 1;
        while (aio_error(&one) == EINPROGRESS) aio_suspend(wanted, 1, NULL);
        if (aio_return(&one) != 100) return 2;
        if (aio_fsync(O_SYNC, &one) != 0) return 3;
        while (aio_error(&one) == EINPROGRESS) aio_suspend(wanted, 1, NULL);
        return aio_return(&one);
        """)
    begun = [row for row in calls(process) if row[0] in ("aio_write", "aio_fsync")]
    assert begun == [("aio_write", "a", 5, 100, 100), ("aio_fsync", "a", -1, 0, 0)]
    numbers = {call.name: number for number, call in process.names.calls.items()}
    records = process.streams[0].records
    flags = {name: set(records["flags"][records["call"] == numbers[name]]) for name in numbers}
    started = flags["aio_write"]
    assert len(started) == 1 and started == flags["aio_fsync"] and started != flags["open"]


def test_vectors_at_the_files_own_position(record: Record) -> None:
    (process,) = record("""
        struct iovec two[2] = {{data, 10}, {data, 20}};
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        if (pwritev2(fd, two, 2, -1, 0) != 30 || pwritev2(fd, two, 2, 100, 0) != 30) return 1;
        if (pwritev2(fd, two, 1, -1, 0) != 10) return 2;
        lseek(fd, 5, SEEK_SET);
        if (preadv2(fd, two, 2, -1, 0) != 30 || preadv2(fd, two, 1, 110, 0) != 10) return 3;
        return read(fd, data, 3) == 3 ? 0 : 4;
        """)
    assert [row for row in calls(process) if row[0] not in ("open", "lseek")] == [
        ("pwritev2", "a", 0, 30, 30),
        ("pwritev2", "a", 100, 30, 30),
        ("pwritev2", "a", 30, 10, 10),
        ("preadv2", "a", 5, 30, 30),
        ("preadv2", "a", 110, 10, 10),
        ("read", "a", 35, 3, 3),
    ]


@pytest.mark.parametrize(("limit", "itself"), [(64, False), (300, True)])
def test_where_a_program_may_have_few_descriptors_the_recorder_takes_none(
    tmp_path: Path, limit: int, itself: bool
) -> None:
    """It opens its files in a child with descriptors of its own. Its other threads might need the last ones,
    in however short a time: so it is looked at who opens them, and not at what comes of it."""
    strace = strace_or_skip()
    program = compiled(
        tmp_path,
        f"""
        int main(void) {{
            struct rlimit limit = {{{limit}, {limit}}};
            if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 77;
            int fd = open("a", O_RDWR | O_CREAT, 0644);
            return write(fd, data, 8) == 8 ? 5 : 1;
        }}
        """,
    )
    log = tmp_path / "log"
    preload = f"LD_PRELOAD={RECORDER}"
    command: list[str | Path] = [strace, "-f", "-e", "trace=open,openat", "-o", log, "-E", preload, program]
    assert run(command, tmp_path, {"LD_PRELOAD": ""}).returncode == 5
    lines = log.read_text().splitlines()
    (own,) = {line.split()[0] for line in lines if re.search(r'"a", O_RDWR', line)}
    opened = {line.split()[0] for line in lines if '.records"' in line and "O_CREAT" in line}
    assert len(opened) == 1 and (opened == {own}) == itself
