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


@pytest.mark.parametrize(
    ("mount", "fixed", "words"),
    [
        ("ro", (), ("cannot measure in", "Read-only file system", "--dir")),
        ("size=8m", ('block = "64MiB"',), ("not enough free space", "128 MiB", "8 MiB")),
    ],
)
def test_a_directory_that_will_not_do(
    place: Path, mount: str, fixed: tuple[str, ...], words: tuple[str, ...]
) -> None:
    write_study(*fixed)
    run = f"{WEIR} run study.toml --out RUN --dir store"
    assert_refused(in_mount_namespace(f"mount -t tmpfs -o {mount} none store && {run}"), *words)


@pytest.mark.parametrize(
    ("fixed", "words"),
    [
        (('transfer = "1000B"',), ("study.toml:", "does not divide block")),
        (('transfre = "64KiB"',), ("study.toml:12: unknown key 'transfre'", "Did you mean 'transfer'?")),
        (('backend = "posix"', "collective = true"), ("study.toml:", "contradicts")),
    ],
)
def test_options_that_will_not_do(place: Path, fixed: tuple[str, ...], words: tuple[str, ...]) -> None:
    write_study(*fixed)
    assert_refused(weir(), *words)


def test_direct_with_an_unaligned_size(place: Path) -> None:
    """Only the storage itself can tell, so a launch runs; no case can, hence code 2 and a failure line."""
    write_study("direct = true", 'transfer = "1000B"', 'block = "1000B"', 'layout = "file-per-process"')
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
