"""What the IMB that is on PATH prints is read whole."""

import json
import os
import shutil
from pathlib import Path

import pytest

from end_to_end.real_programs import on_ranks
from open_mpi import AS_ROOT_TOO
from running import ended
from verbs import weir_here as weir

SHORT = ("-iter", "3", "-msglog", "3:5")
STARTS = {
    "IMB-MPI1": [
        (4, "-npmin", "2", "PingPong", "Sendrecv", "Allreduce", "Barrier"),
        (4, "-multi", "1", "PingPong", "Barrier"),
        (4, "-multi", "0", "-off_cache", "-1", "Exchange"),
        (2, "Uniband"),
    ],
    "IMB-NBC": [(2, "Iallreduce", "Ibarrier", "Ibcast_pure")],
    "IMB-RMA": [(2, "Unidir_put", "All_get_all", "Truly_passive_put")],
    "IMB-EXT": [(2, "Window", "Accumulate")],
    "IMB-IO": [(2, "P_Write_Indv", "C_Read_Expl")],
}


@pytest.mark.parametrize("program", STARTS)
def test_all_that_it_prints(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program}")
    monkeypatch.chdir(tmp_path)
    printed = [_printed(program, ranks, *words) for ranks, *words in STARTS[program]]
    names = []
    for number, text in enumerate(printed):
        names.append(f"s{number}={number}.txt")
        Path(f"{number}.txt").write_text(text)
    told = json.loads(weir("read", *names, "--out", "RUN", "--json").output)
    assert told["exit_code"] == 0 and told["failures"] == told["left_out"] == told["notes"] == []
    assert told["samples"] == sum(map(_is_row, "".join(printed).split("\n"))) > 0
    assert weir("show", "RUN").exit_code == 0


def _printed(program: str, ranks: int, *words: str) -> str:
    command = on_ranks(ranks, program, *SHORT, *words)
    done = ended(*command.argv, env={**os.environ, **command.env, **AS_ROOT_TOO}, timeout=300)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def _is_row(line: str) -> bool:
    return line.startswith(" ") and line.split(maxsplit=1)[0].isdigit()
