"""Whatever is in a file that weir-core reads, it ends by itself, with an agreed exit code, and says why where
that is not 0: some damaged files in `make test`, many in the nightly stage."""

from pathlib import Path

import pytest

from end_to_end.conftest import need_real_programs

from .copies import AGREED, damaged_copies
from .core_subjects import CORE_SUBJECTS, CoreSubject, core

LONGEST_S = 30


@pytest.mark.parametrize("subject", CORE_SUBJECTS, ids=lambda subject: subject.name)
def test_damaged_files(subject: CoreSubject, tmp_path: Path) -> None:
    need_real_programs()
    whole, folder = tmp_path / "whole", tmp_path / "damaged"
    (whole / "store").mkdir(parents=True)
    subject.make(whole)
    wrong = []
    for case, drawn in damaged_copies(whole, folder, subject.files, subject.name):
        verb = drawn.choice(subject.verbs)
        done = core(*verb, cwd=folder, seconds=LONGEST_S)
        silent = done.code not in (0, None) and "error" not in done.talk and '"failure"' not in done.said
        if done.code not in AGREED or "internal error" in done.talk or silent:
            told = f"{done.said[-500:]}\n{done.talk[-1000:]}"
            wrong.append(f"{case}: weir-core {' '.join(verb)}: {done.code}\n{told}")
    assert not wrong, "\n".join(wrong[:20])
