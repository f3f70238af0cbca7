import os
from pathlib import Path

import pytest

from others import give_away, needs_root
from weir.errors import WeirError
from weir.files.permission import permitted
from weir.files.plain import open_to_append, open_to_change, read_own, read_plain

OPENERS = [read_plain, read_own, open_to_append, open_to_change]


@pytest.mark.parametrize("opener", OPENERS)
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, opener) -> None:  # type: ignore[no-untyped-def]
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "link").symlink_to("precious")
    for name, why in (("pipe", "it is a pipe"), ("link", "it is a link")):
        with pytest.raises(WeirError, match=why):
            opener(tmp_path / name)
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_file_with_a_second_name_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "samples").hardlink_to(tmp_path / "precious")
    for opener in (open_to_append, open_to_change):
        with pytest.raises(WeirError, match="other names"):
            opener(tmp_path / "samples")


def test_ones_own_file_is_appended_to(tmp_path: Path) -> None:
    for word in (b"one ", b"two"):
        descriptor = open_to_append(tmp_path / "log")
        os.write(descriptor, word)
        os.close(descriptor)
    assert (tmp_path / "log").read_bytes() == b"one two"
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


@needs_root
def test_a_strangers_file_is_read_but_neither_relied_on_nor_changed(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.write_text("x")
    give_away(path)
    assert read_plain(path) == b"x"
    for opener in (read_own, open_to_append, open_to_change):
        with pytest.raises(WeirError, match="belongs to user"):
            opener(path)
    with permitted(foreign=True):
        os.close(open_to_append(path))
