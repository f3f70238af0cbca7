"""How much memory the data of a program's calls lie in is recorded, and its pattern has it."""

import json
from pathlib import Path

import pytest

from weir.pattern import Memory
from weir.trace.load import load_trace
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.write import write_pattern

from ..parallel_programs import OPEN_MPI, run_parallel
from ..programs import compiled, record_program, run

MIB = 1 << 20
OPEN = 'int fd = open("a", O_RDWR | O_CREAT, 0644); char *many = malloc(32 << 20); memset(many, 1, 32 << 20);'
WALKS = {
    "one buffer": ("for (int i = 0; i < 512; ++i) if (write(fd, data, 65536) != 65536) return 1;", 0.0625),
    "an array": (
        "for (int i = 0; i < 512; ++i) if (write(fd, many + i * 65536, 65536) != 65536) return 1;",
        32,
    ),
    "few bytes of an array": (
        "for (int i = 0; i < 512; ++i) if (pread(fd, many + i * 65536, 9, i) != 0) return 1; "
        "if (pwrite(fd, data, 10, 0) != 10) return 1;"
        "for (int i = 0; i < 512; ++i) if (pread(fd, many + i * 65536, 9, 0) != 9) return 1;",
        8,
    ),
    "pieces": (
        "for (int i = 0; i < 64; ++i) { struct iovec v[2] = {{many + i * 131072, 65536}, {data, 65536}}; "
        "if (writev(fd, v, 2) != 131072) return 1; }",
        5,  # each begins and ends within a block
    ),
    "one request": ("if (write(fd, many, 32 << 20) != 32 << 20) return 1;", 32),
    "nothing": ("if (lseek(fd, 7, SEEK_SET) != 7) return 1;", 0),
}


@pytest.mark.parametrize("walk", WALKS)
def test_memory_of_calls(tmp_path: Path, walk: str) -> None:
    body, mib = WALKS[walk]
    record_program(tmp_path, OPEN + body)
    trace = load_trace(tmp_path / "trace")
    assert trace.data_memory.get("posix", Memory()).bytes / MIB == pytest.approx(mib, rel=0.02, abs=0.05)
    assert "mpi-io" not in trace.data_memory


@pytest.mark.parametrize(
    ("walk", "walks"), [("an array", True), ("one buffer", False), ("one request", False)]
)
def test_a_pattern_has_it_where_it_is_more_than_a_buffer(tmp_path: Path, walk: str, *, walks: bool) -> None:
    record_program(tmp_path, OPEN + WALKS[walk][0])
    written = tmp_path / "p.json"
    write_pattern(recognise(load_trace(tmp_path / "trace")), written)
    memory = json.loads(written.read_bytes())["memory"]
    assert memory.get("bytes", 0) == pytest.approx(32 * MIB if walks else 0, rel=0.02)


@pytest.mark.parametrize("place", [0, 16, 4095])
def test_where_in_a_page_most_data_begin(tmp_path: Path, place: int) -> None:
    body = f"""
    char *pages = aligned_alloc(4096, 1 << 20);
    memset(pages, 1, 1 << 20);
    for (int i = 0; i < 9; ++i) {{
        if (pwrite(fd, pages + {place}, 5000, i) != 5000) return 1;
        if (pwrite(fd, pages + 7 * i, 4000, i) != 4000) return 1;
    }}
    """
    record_program(tmp_path, OPEN + body)
    written = tmp_path / "p.json"
    write_pattern(recognise(load_trace(tmp_path / "trace")), written)
    memory = json.loads(written.read_bytes()).get("memory", {})
    assert memory.get("in_page", 0) == place


def test_a_child_counts_its_own(tmp_path: Path) -> None:
    body = """
    if (write(fd, many, 32 << 20) != 32 << 20) return 1;
    if (fork() == 0) { if (write(fd, data, 4096) != 4096) _exit(1); exit(0); }
    wait(NULL);
    """
    done = run([compiled(tmp_path, OPEN + body)], tmp_path)
    assert done.returncode == 0, done.stderr
    facts = [
        json.loads(line)
        for path in (tmp_path / "trace").glob("*.process")
        for line in path.read_text().splitlines()
    ]
    told = sorted(fact["memory_posix"] / MIB for fact in facts if "memory_posix" in fact)
    assert told == pytest.approx([4096 / MIB, 32], rel=0.02, abs=0.05)
    most = load_trace(tmp_path / "trace").data_memory["posix"].bytes
    assert most / MIB == pytest.approx(32, rel=0.02)


def test_memory_of_mpi_io(tmp_path: Path) -> None:
    body = """
    open_file("shared");
    for (int i = 0; i < 64; ++i)
        MPI_File_write_at_all(file, (64 * rank + i) * 16384, data + i * 16384, 16384, MPI_CHAR,
                              MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    """
    run_parallel(tmp_path, body, mpi=OPEN_MPI)
    assert load_trace(tmp_path / "trace").data_memory["mpi-io"].bytes / MIB == pytest.approx(1, rel=0.02)
