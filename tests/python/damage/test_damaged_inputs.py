"""Whatever is in a file, verbs that read it end with an agreed exit code, and a message where it is not 0:
some damaged files in `make test`, many in the nightly stage."""

from pathlib import Path

import pytest

from .copies import AGREED, damaged_copies
from .subjects import SUBJECTS, Subject
from .verbs import speak


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@pytest.mark.usefixtures("fake_core")
def test_damaged_files(subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "damaged"
    whole.mkdir()
    monkeypatch.chdir(whole)
    subject.make(whole)
    wrong = []
    for case, drawn in damaged_copies(whole, folder, subject.files, subject.name):
        monkeypatch.chdir(folder)
        verb = drawn.choice(subject.verbs)
        code, said = speak(*verb, seconds=60)
        if code not in AGREED or "internal error" in said:
            wrong.append(f"{case}: weir {' '.join(verb)}: {code}\n{said}")
        monkeypatch.chdir(tmp_path)
    assert not wrong, "\n".join(wrong[:20])
