"""Bad input, with the real core: one clear message, exit code 2, and nothing ran."""

from pathlib import Path

import pytest

from fakes import read_lines
from running import ended

from ..conftest import CORE, WEIR, in_mount_namespace, weir, write_study


def assert_refused(done: object, *words: str) -> None:
    code, out, talk = (getattr(done, name) for name in ("returncode", "stdout", "stderr"))
    assert code == 2, talk
    assert out == "" and len(talk.splitlines()) == 1
    for word in words:
        assert word in talk
    assert not Path("RUN").exists()


def test_a_directory_that_does_not_exist(place: Path) -> None:
    write_study()
    Path("store").rmdir()
    assert_refused(weir(), "cannot measure in", "does not exist", "mkdir -p")


def test_a_directory_that_cannot_be_written(place: Path) -> None:
    write_study()
    done = in_mount_namespace(
        f"mount -t tmpfs -o ro none store && {WEIR} run study.toml --out RUN --dir store"
    )
    assert_refused(done, "cannot measure in", "Read-only file system", "--dir")


def test_too_little_space_is_known_before(place: Path) -> None:
    write_study('block = "64MiB"')
    done = in_mount_namespace(
        f"mount -t tmpfs -o size=8m none store && {WEIR} run study.toml --out RUN --dir store"
    )
    assert_refused(done, "not enough free space", "128 MiB", "8 MiB")


def test_a_transfer_that_does_not_divide_the_block(place: Path) -> None:
    write_study('transfer = "1000B"')
    assert_refused(weir(), "study.toml:", "does not divide block")


def test_a_misspelt_key(place: Path) -> None:
    write_study('transfre = "64KiB"')
    assert_refused(weir(), "study.toml:11: unknown key 'transfre'", "Did you mean 'transfer'?")


def test_options_that_contradict_each_other(place: Path) -> None:
    write_study('backend = "posix"', "collective = true")
    assert_refused(weir(), "study.toml:", "contradicts")


def test_no_mpirun(place: Path, tmp_path: Path) -> None:
    write_study()
    empty = tmp_path / "bin"
    empty.mkdir()
    assert_refused(weir(PATH=str(empty)), "no mpirun in PATH", "apt-get install openmpi-bin")


@pytest.mark.parametrize("transfer", ["1000B"])
def test_direct_with_an_unaligned_size(place: Path, transfer: str) -> None:
    """Only the storage itself can tell, so a launch runs; no case can, hence code 2 and a failure line."""
    write_study("direct = true", f'transfer = "{transfer}"', 'block = "1000B"', 'layout = "file-per-process"')
    done = weir()
    assert done.returncode == 2
    assert "cannot be direct" in done.stderr or "O_DIRECT" in done.stderr
    failure = read_lines(place / "RUN", "failure")[0]
    assert failure["exit_code"] == 2
    assert list(Path("store").iterdir()) == []


def test_a_misspelt_subcommand(place: Path) -> None:
    done = ended(CORE, "claud")
    assert done.returncode == 2
    assert "neither a subcommand nor a case file 'claud' Did you mean `weir-core cloud`?" in done.stderr
