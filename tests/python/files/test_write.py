import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import AF_UNIX, socket

import pytest

from others import CALLER, STRANGER, done_by, give_away, needs_root
from weir.errors import WeirError
from weir.files.permission import permitted
from weir.files.write import new_folder, write, written


def let_pass(path: Path) -> None:
    """Anybody may go through root's folders down to the path."""
    for above in reversed([path, *path.parents]):
        if above.stat().st_uid == 0 and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)


def write_nothing(path: Path) -> None:
    write(path, b"")


def test_a_file_that_cannot_get_its_name_is_told_by_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: str, target: str, **_: int) -> None:
        raise OSError(5, "Input/output error", source, None, target)

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(OSError, match="Input/output error") as caught:
        write(tmp_path / "result", b"some")
    assert (caught.value.filename, caught.value.filename2) == (str(tmp_path / "result"), None)
    assert not list(tmp_path.iterdir())


def make_folder(path: Path) -> None:
    with new_folder(path):
        pass


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    path = tmp_path / "precious"
    path.write_text("mine")
    return path


def test_a_file_is_the_callers_alone_unless_it_is_shared(tmp_path: Path) -> None:
    os.umask(before := os.umask(0o022))
    write(tmp_path / "deep" / "one", b"x", make=True)
    with permitted(share=True):
        write(tmp_path / "wide" / "one", b"x", make=True)
    modes = [
        stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("deep", "deep/one", "wide", "wide/one")
    ]
    assert modes == [0o700, 0o600, 0o777 & ~before, 0o666 & ~before]


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    write(tmp_path / "one", b"before")
    with pytest.raises(KeyError), written(tmp_path / "one") as file:
        file.write(b"half")
        raise KeyError
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("one", b"before")]


@pytest.mark.parametrize("named", [True, False])
def test_a_link_in_a_files_place_is_refused(tmp_path: Path, precious: Path, named: bool) -> None:
    (tmp_path / "out").symlink_to(precious)
    with pytest.raises(WeirError, match="it is a link"):
        write(tmp_path / "out", b"x", named=named)
    assert precious.read_text() == "mine" and sorted(tmp_path.iterdir()) == [tmp_path / "out", precious]


def test_a_second_name_of_a_file_leaves_the_first_as_it_is(tmp_path: Path, precious: Path) -> None:
    (tmp_path / "out").hardlink_to(precious)
    write(tmp_path / "out", b"x")
    assert precious.read_text() == "mine"


def test_a_pipe_is_written_to_only_if_the_person_named_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(WeirError, match="it is a pipe"):
        write(pipe, b"x")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(pipe, b"through", named=True)
    assert os.read(reader, 100) == b"through"
    os.close(reader)


def test_a_pipe_that_nobody_reads_is_refused_without_waiting(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(WeirError, match="it is a pipe that nobody reads, not a file"):
        write(pipe, b"x", named=True)


def test_a_pipe_takes_more_than_it_holds(tmp_path: Path) -> None:
    """The writer waits for a reader that is slower."""
    pipe, content = tmp_path / "pipe", bytes(1 << 20)
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool, os.fdopen(os.open(pipe, os.O_RDWR), "rb", buffering=0) as file:
        writing = pool.submit(write, pipe, content, named=True)
        read = 0
        while read < len(content):
            read += len(file.read(1 << 16))
        assert writing.result() == len(content)


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket(AF_UNIX) as listening:
        listening.bind("socket")
        with pytest.raises(WeirError, match="it is a socket, not a file"):
            write(Path("socket"), b"x", named=True)


def test_links_of_the_system_to_devices_are_good(tmp_path: Path) -> None:
    write(Path("/dev/null"), b"x", named=True)
    reader, writer = os.pipe()
    write(Path(f"/dev/fd/{writer}"), b"through", named=True)
    assert os.read(reader, 100) == b"through"
    os.close(reader), os.close(writer)
    assert Path("/dev/stdout").is_symlink() and Path("/dev/null").is_char_device()


def test_ones_own_link_on_the_way_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "scratch").symlink_to("real")
    (tmp_path / "home").symlink_to(tmp_path / "scratch")
    write(tmp_path / "home" / "runs" / ".." / "one", b"x", make=True)
    assert (tmp_path / "real" / "one").read_bytes() == b"x"


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links"):
        write(tmp_path / "a" / "one", b"x")


@needs_root
def test_a_strangers_link_on_the_way_is_followed_only_if_permitted(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "theirs").symlink_to("mine")
    give_away(tmp_path / "theirs")
    with permitted(), pytest.raises(WeirError, match=r"link of user .*--foreign-folder"):
        write(tmp_path / "theirs" / "one", b"x")
    with permitted(foreign=True):
        write(tmp_path / "theirs" / "one", b"x")
    assert (tmp_path / "mine" / "one").exists()


@needs_root
def test_a_strangers_folder_and_file_are_written_to_only_if_permitted(tmp_path: Path) -> None:
    folder, file = tmp_path / "theirs", tmp_path / "file"
    folder.mkdir()
    file.write_text("theirs")
    give_away(folder, file)
    for path in (folder / "one", file):
        with permitted(), pytest.raises(WeirError, match=r"belongs to user .*--foreign-folder"):
            write(path, b"x")
    assert list(folder.iterdir()) == [] and file.read_text() == "theirs"
    with permitted(foreign=True):
        write(folder / "one", b"x")
        write(file, b"x")
    assert (folder / "one").read_bytes() == file.read_bytes() == b"x"


@needs_root
def test_permission_does_not_extend_to_links(tmp_path: Path, precious: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "one").symlink_to(precious)
    give_away(folder)
    with permitted(foreign=True), pytest.raises(WeirError, match="it is a link"):
        write(folder / "one", b"x")
    assert precious.read_text() == "mine"


@needs_root
def test_a_caller_in_a_folder_of_all_is_not_led_astray(tmp_path: Path) -> None:
    """As in /tmp: what a stranger has planted there is left alone, what is free can be written."""
    let_pass(tmp_path)
    common, home = tmp_path / "common", tmp_path / "home"
    common.mkdir()
    common.chmod(0o1777)
    home.mkdir()
    (home / "precious").write_text("mine")
    (common / "link").symlink_to(home / "precious")
    (common / "way").symlink_to(home)
    (common / "file").write_text("theirs")
    (common / "file").chmod(0o666)
    give_away(home, owner=CALLER)
    give_away(common / "link", common / "way", common / "file", owner=STRANGER)
    for name, why in (("link", "it is a link"), ("way/new", "link of user"), ("file", "belongs to user")):
        assert why in done_by(CALLER, lambda name=name: write(common / name, b"x"))
    assert done_by(CALLER, lambda: write(common / "free", b"x")) == ""
    assert (common / "free").stat().st_uid == CALLER
    assert [path.name for path in home.iterdir()] == ["precious"]
    assert (home / "precious").read_text() == "mine" and (common / "file").read_text() == "theirs"


@needs_root
@pytest.mark.parametrize("make", [write_nothing, make_folder])
def test_a_folder_that_takes_nothing_is_told_by_the_name_that_was_given(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    let_pass(tmp_path)
    give_away(tmp_path, owner=CALLER)
    tmp_path.chmod(0o500)
    said = done_by(CALLER, lambda: make(tmp_path / "x.json"))
    assert said.startswith(f"[Errno 13] Permission denied: '{tmp_path / 'x.json'}' ")


def test_what_does_not_fit_is_told_by_its_name() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write(Path("/dev/full"), b"x", named=True)
