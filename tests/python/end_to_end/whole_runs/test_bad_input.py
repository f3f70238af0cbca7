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
    assert "neither a subcommand nor a case file 'claud'. Did you mean `weir-core cloud`?" in done.stderr


def test_a_word_that_is_no_path_is_answered_with_the_choices(place: Path) -> None:
    done = ended(CORE, "ior")
    assert done.returncode == 2
    assert "neither a subcommand nor a case file 'ior'" in done.stderr
    assert "hpl" in done.stderr and "storage" in done.stderr


def test_what_a_case_file_or_a_pattern_is_not_is_told_with_what_takes_it(place: Path) -> None:
    Path("T").mkdir()
    Path("T/node-1-0.process").write_text("{}\n")
    Path("p.json").write_text('{"weir_pattern":1,"name":"p","ranks":1,"files":[],"phases":[]}')
    Path("c.json").write_text('{"schema":1,"cases":[]}')
    Path("s.toml").write_text("[study]\n")
    for words, said, use in (
        (["T"], "'T' is a trace (a case file is needed here)", "`weir explain T`"),
        (["p.json"], "'p.json' is a pattern (a case file is needed here)", "`weir replay p.json`"),
        (["expand", "c.json"], "'c.json' is a case file (a pattern is needed here)", "`weir-core c.json`"),
        (["s.toml"], "'s.toml' is a study (a case file is needed here)", "`weir run s.toml`"),
    ):
        done = ended(CORE, *words)
        assert done.returncode == 2 and said in done.stderr and use in done.stderr, done.stderr
