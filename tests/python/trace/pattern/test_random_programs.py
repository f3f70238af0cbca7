"""Random programs of processes that share files: the pattern makes files as long as the program did, or says
that it does not; and it can be carried out."""

import json
import os
import random
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from open_mpi import AS_ROOT_TOO
from running import ended
from weir.trace.load import load_trace
from weir.trace.pattern.recognise import Recognised, recognise
from weir.trace.pattern.write import write_pattern

from ..parallel_programs import OPEN_MPI
from ..programs import compiled, need, run
from .expansion import core_or_skip, expand, original_names

FILES = 3
REPLAYED = 4
"""So many of the programs' patterns are carried out."""
STATEMENTS = {
    "write": "write(f{s}, data, {n});",
    "pwrite": "pwrite(f{s}, data, {n}, {at});",
    "read": "pread(f{s}, data, {n}, {at});",
    "resize": "ftruncate(f{s}, {at});",
    "reserve": "posix_fallocate(f{s}, 0, {at} + 1);",
    "dup": "{{ int h = dup(f{s}); pwrite(h, data, {n}, {at}); close(h); }}",
    "second": '{{ int h = open("{s}", O_RDWR | {flags}, 0644); pwrite(h, data, {n}, {at}); close(h); }}',
    "reopen": 'close(f{s}); f{s} = open("{s}", O_RDWR | O_CREAT | {flags}, 0644);',
    "stream": '{{ FILE *h = fopen("{s}", "{mode}"); fwrite(data, 1, {n}, h); fclose(h); }}',
}


def statement(drawn: random.Random) -> str:
    return STATEMENTS[drawn.choice(list(STATEMENTS))].format(
        s=drawn.randrange(FILES),
        n=drawn.choice([1, 7, 100, 4096]),
        at=drawn.choice([0, 5, 1000, 9973]),
        flags=drawn.choice(["0", "0", "O_TRUNC"]),
        mode=drawn.choice(["w", "r+"]),
    )


def body(drawn: random.Random, depth: int = 0) -> str:
    """Statements, some of them in children for which the parent waits."""
    lines = []
    for _ in range(drawn.randint(2, 7)):
        if depth < 2 and drawn.random() < 0.25:
            lines.append(f"if (fork() == 0) {{ {body(drawn, depth + 1)} _exit(0); }} wait(NULL);")
        else:
            lines.append(statement(drawn))
    return "\n".join(lines)


def sizes_of(found: Recognised, path: Path) -> dict[str, int]:
    """By the names that files had, how long the pattern makes them."""
    sizes: Counter[str] = Counter()
    for rank, operations in enumerate(expand(path, found.ranks)):
        names = original_names(found, rank)
        for verb, file, offset, length in operations:
            if verb in ("write", "preallocate") and length:
                name = names[file]
                sizes[name] = max(sizes[name], length + (offset if verb == "write" else 0))
    return sizes


@pytest.mark.parametrize("seed", range(10))
def test_files_are_as_long_as_the_programs(seed: int, tmp_path: Path) -> None:
    core = core_or_skip()
    need("cc")
    drawn = random.Random(seed)
    opens = "\n".join(
        f'int f{one} = open("{one}", O_RDWR | O_CREAT | O_TRUNC, 0644);' for one in range(FILES)
    )
    program = compiled(tmp_path, f"{opens}\n{body(drawn)}", ("-O0", "-w"))
    done = run([program], tmp_path)
    assert done.returncode == 0, done.stderr
    found = recognise(load_trace(tmp_path / "trace"))
    path = tmp_path / "P.json"
    write_pattern(found, path)
    known: dict[str, int] = defaultdict(
        int, {Path(name).name: size for name, size in sizes_of(found, path).items()}
    )
    real = {file.name: file.stat().st_size for file in (tmp_path / "store").iterdir()}
    longer = {name for name, size in real.items() if known[name] > size}
    assert all(known[name] >= size for name, size in real.items()), (known, real)
    assert not longer or json.loads(path.read_text())["inexact"], (known, real)
    if seed < REPLAYED and shutil.which(OPEN_MPI.launch[0]):
        launch = [*OPEN_MPI.launch, "-n", str(found.ranks)]
        command: list[str | Path] = [*launch, core, "storage", "--pattern", path, "--dir", tmp_path]
        replayed = ended(*command, cwd=tmp_path, env={**os.environ, **AS_ROOT_TOO})
        assert replayed.returncode == 0, replayed.stdout + replayed.stderr
