"""The pattern of what everybody's programs do writes as many bytes into each file as they did."""

import json
from collections import Counter
from pathlib import Path

import pytest

from open_mpi import AS_ROOT_TOO
from weir.trace.load import load_trace
from weir.trace.pattern.recognise import Recognised, recognise
from weir.trace.pattern.write import write_pattern

from ..programs import compiled, need, run
from .expansion import core_or_skip, expand, original_names

INPUT = "".join(f"{number}\n" for number in range(1, 20001))
PROGRAMS = {
    "cp": "cp INPUT a",
    "install": "install INPUT a",
    "cat": "cat INPUT > a",
    "seq": "seq 1 30000 > a",
    "head": "head -c 30000 INPUT > a",
    "awk": "awk '{ print $1 * 2 }' INPUT > a",
    "sort": "sort -r INPUT > a; sort -r INPUT -o b",
    "sed": "sed s/1/22/ INPUT > a",
    "tar": "tar -C .. -cf a input",
    "dd": "dd if=INPUT of=a bs=1000",
    "gzip": "gzip -c INPUT > a",
    "python3": 'python3 -c \'print("x" * 100001); open("b", "w").write("y" * 70001)\' > a',
    "tee": "cat INPUT | tee a > b",
    "split": "split -n 3 INPUT",
    "sh": "(seq 1 3000; echo y; head -c 7777 INPUT) > a; for i in 1 2 3; do seq 1 2000 >> b; done",
}
STREAMS = """
    if (freopen("a", "w", stdout) == NULL) return 1;
    for (int i = 0; i < 9; ++i) { fwrite(data, 1, 5000, stdout); printf("line %d", i); }
    int below = open("b", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    FILE *stream = fdopen(below, "w");
    fwrite(data, 1, 777, stream);
    fputs("hello", stream);
    fflush(stream);
    if (write(below, data, 100) != 100) return 1;
    fclose(stream);
    int errors = open("c", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    dup2(errors, 2);
    close(errors);
    fprintf(stderr, "error %d", 5);
    if (write(2, data, 321) != 321) return 1;
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_pattern_writes_the_bytes_that_a_program_wrote(name: str, tmp_path: Path) -> None:
    need(name, "cat", "seq", "head")
    (tmp_path / "input").write_text(INPUT)
    written_alike(tmp_path, ["sh", "-c", PROGRAMS[name].replace("INPUT", "../input")])


def test_a_pattern_writes_the_bytes_of_streams_that_got_another_file(tmp_path: Path) -> None:
    written_alike(tmp_path, [compiled(tmp_path, STREAMS)])


def test_a_pattern_writes_the_bytes_of_shells_under_mpirun(tmp_path: Path) -> None:
    need("mpirun.openmpi", "seq")
    shell = "seq 1 9000 > out.$OMPI_COMM_WORLD_RANK"
    command = ["mpirun.openmpi", "--oversubscribe", "-np", "2", "sh", "-c", shell]
    found = written_alike(tmp_path, command, AS_ROOT_TOO)
    assert found.ranks == 2


def written_alike(tmp_path: Path, command: list[str | Path], env: dict[str, str] | None = None) -> Recognised:
    """Checks that the pattern of this command writes each file's bytes once, and is exact."""
    core_or_skip()
    done = run(command, tmp_path, env)
    assert done.returncode == 0, done.stderr
    found, path = recognise(load_trace(tmp_path / "trace")), tmp_path / "P.json"
    write_pattern(found, path)
    assert json.loads(path.read_text()).get("inexact", []) == []
    written: Counter[str] = Counter()
    for rank, operations in enumerate(expand(path, found.ranks)):
        names = original_names(found, rank)
        for what, file, _, length in operations:
            written[names.get(file, file)] += length if what == "write" else 0
    sizes = {str(file): file.stat().st_size for file in (tmp_path / "store").iterdir()}
    assert sizes and {name: written[name] for name in sizes} == sizes
    return found
