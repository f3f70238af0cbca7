"""What stands behind descriptors and names: duplicates, ranges, children, directories, pipes, memory."""

import re
from pathlib import Path

import pytest

from ..programs import RECORDER, Record, assert_told, calls, compiled, need_strace, run


def test_a_child_numbers_names_for_itself(record: Record) -> None:
    processes = record("""
        static void use(char const *name, int bytes) {
            int fd = open(name, O_RDWR | O_CREAT, 0644);
            write(fd, data, bytes);
            close(fd);
        }
        main:
        use("a", 1); use("b", 2); use("c", 3);
        if (fork() == 0) { use("c", 3); use("a", 1); use("b", 2); use("d", 4); _exit(0); }
        wait(NULL);
        """)
    for process in processes:
        written = {row[1]: row[3] for row in calls(process) if row[0] == "write"}
        assert written == dict(zip("abcd", (1, 2, 3, 4), strict=True)) or written == {"a": 1, "b": 2, "c": 3}
    assert sorted(len(calls(process)) for process in processes) == [9, 12]


def test_a_child_has_the_whole_bound_for_itself(record: Record) -> None:
    program = """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 15000; ++i) pwrite(fd, data, 1, i);
        if (fork() == 0) { for (int i = 0; i < 15000; ++i) pwrite(fd, data, 1, i); _exit(0); }
        wait(NULL);
        """
    processes = record(program, env={"WEIR_TRACE_LIMIT": "1M"})
    assert [len(process.streams[0].records) for process in processes] == [15001, 15000]
    assert 15001 * processes[0].streams[0].records.itemsize > 2**19, "the bound would not do for both"
    assert not any(process.lost for process in processes)


def test_names_are_relative_to_a_directorys_descriptor(record: Record, tmp_path: Path) -> None:
    program = """
        struct stat facts;
        mkdir("sub", 0755);                                     //= mkdir sub
        int sub = open("sub", O_RDONLY | O_DIRECTORY);          //= open sub
        close(openat(sub, "a", O_RDWR | O_CREAT, 0644));        //= openat sub/a; close sub/a
        fstatat(sub, "a", &facts, 0);                           //= fstatat sub/a
        renameat(sub, "a", sub, "b");                           //= renameat sub/b
        return unlinkat(sub, "b", 0);                           //= unlinkat sub/b
        """
    (process,) = record(program)
    paths = [process.names.files[int(one["file"])].name for one in process.streams[0].records]
    paths = [str(Path(path).relative_to(tmp_path / "store")) for path in paths]
    assert_told(program, [(row[0], path) for row, path in zip(calls(process), paths, strict=True)])


@pytest.mark.parametrize(("limit", "itself"), [(64, False), (300, True)])
def test_where_a_program_may_have_few_descriptors_the_recorder_takes_none(
    tmp_path: Path, limit: int, itself: bool
) -> None:
    """It opens its files in a child with descriptors of its own. Its other threads might need the last ones,
    in however short a time: so it is looked at who opens them, and not at what comes of it."""
    need_strace()
    program = compiled(
        tmp_path,
        f"""
        struct rlimit limit = {{{limit}, {limit}}};
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 77;
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        return write(fd, data, 8) == 8 ? 5 : 1;
        """,
    )
    log = tmp_path / "log"
    preload = f"LD_PRELOAD={RECORDER}"
    command: list[str | Path] = ["strace", "-f", "-e", "trace=open,openat", "-o", log, "-E", preload, program]
    assert run(command, tmp_path, {"LD_PRELOAD": ""}).returncode == 5
    lines = log.read_text().splitlines()
    (own,) = {line.split()[0] for line in lines if re.search(r'"a", O_RDWR', line)}
    opened = {line.split()[0] for line in lines if '.records"' in line and "O_CREAT" in line}
    assert len(opened) == 1 and (opened == {own}) == itself
