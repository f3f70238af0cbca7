"""Whatever is in a file that weir-core reads, it ends by itself, with an agreed exit code, and says why where
that is not 0: some damaged files in `make test`, many in the nightly stage."""

import random
import shutil
from pathlib import Path

import pytest

from end_to_end.conftest import need_real_programs

from .core_subjects import CORE_SUBJECTS, CoreSubject, core
from .mutations import damaged
from .test_damaged_inputs import AGREED, CASES, SEED

LONGEST_S = 30


@pytest.mark.parametrize("subject", CORE_SUBJECTS, ids=lambda subject: subject.name)
def test_damaged_files(subject: CoreSubject, tmp_path: Path) -> None:
    need_real_programs()
    whole, folder = tmp_path / "whole", tmp_path / "damaged"
    (whole / "store").mkdir(parents=True)
    subject.make(whole)
    names = sorted(str(path.relative_to(whole)) for path in whole.glob(subject.files) if path.is_file())
    assert names
    wrong = []
    for number in range(CASES):
        drawn = random.Random(f"{SEED} {subject.name} {number}")
        shutil.copytree(whole, folder)
        path = folder / drawn.choice(names)
        path.write_bytes(damaged(path.read_bytes(), drawn))
        verb = drawn.choice(subject.verbs)
        done = core(*verb, cwd=folder, seconds=LONGEST_S)
        silent = done.code not in (0, None) and "error" not in done.talk and '"failure"' not in done.said
        if done.code not in AGREED or "internal error" in done.talk or silent:
            told = f"{done.said[-500:]}\n{done.talk[-1000:]}"
            wrong.append(
                f"WEIR_DAMAGE_SEED={SEED}, case {number}: weir-core {' '.join(verb)}: {done.code}\n{told}"
            )
        shutil.rmtree(folder)
    assert not wrong, "\n".join(wrong[:20])
