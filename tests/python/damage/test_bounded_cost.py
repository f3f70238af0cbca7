"""Small files that would cost much: refused before anything is made of them."""

import shutil
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fakes import study_text
from weir.trace.pack.container import _TAIL, MAGIC, Index, Reader
from weir.trace.pack.encodings import compress

from .subjects import packed_trace
from .verbs import speak

MIB = 1 << 20


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_core: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "store").mkdir()


def refused(*verb: str, mib: int = 64) -> str:
    """What the verb said, which must have refused its input, at little cost."""
    speak(*verb, seconds=20)  # modules are loaded once
    tracemalloc.start()
    try:
        code, said = speak(*verb, seconds=20)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert code == 2, said
    assert peak < mib * MIB
    return said


def plan(text: str) -> str:
    Path("study.toml").write_text(text)
    return refused("plan", "study.toml", "--dir", "store")


def test_more_cases_than_anybody_can_measure() -> None:
    axes = ", ".join(f"{key} = [{', '.join(['1'] * 1000)}]" for key in ("transfer", "block", "segments"))
    text = study_text().split("[[comparison]]")[0]
    said = plan(f'{text}[[comparison]]\nname = "all"\naxes = {{ {axes} }}\n')
    assert "the study has 1,000,000,000 cases" in said
    assert "10,000 are the most" in said


def test_deep_studies() -> None:
    assert "nested too deeply" in plan("a = " + "[" * 100_000)
    assert "nested more than 32 deep" in plan("a = " + "[" * 40 + "]" * 40)
    assert "a key of more than 32 parts" in plan(".".join("a" * 100_000) + " = 1")
    assert "a key of more than 32 parts" in plan('"b"  . ' * 100_000 + "a = 1")
    assert "more than 64 bits" in plan(study_text(fixed=f"segments = {'9' * 400}"))
    assert "not TOML" in plan(study_text(fixed=f"segments = {'9' * 5000}"))
    assert "not TOML" in plan(study_text(fixed="segments = 2026-02-30"))
    assert "more than 1 MiB" in plan("#" * (MIB + 1))
    assert "too large" in plan("…" * MIB)


def test_long_keys_and_texts_that_are_right_are_read() -> None:
    long = "x" * 200_000
    Path("study.toml").write_text(
        study_text().replace("[study]", f'# {long}\n[study]\ntitle = "a.b.c {long}"', 1)
    )
    code, said = speak("plan", "study.toml", "--dir", "store", seconds=20)
    assert code == 0, said[-500:]


def test_deep_json() -> None:
    Path("R").mkdir()
    Path("R/run.json").write_text("[" * 100_000)
    assert "nested too deeply" in refused("show", "R")
    Path("R/run.json").write_text("[]")
    assert "no JSON object" in refused("show", "R")


def with_index(change: Callable[[Index], None]) -> None:
    """The packed trace with another index."""
    path = Path("T.weirtrace")
    index, data = Reader(path).index, path.read_bytes()
    change(index)
    packed = compress(msgspec.json.encode(index))
    at = len(data)
    path.write_bytes(data + packed + _TAIL.pack(at, len(packed), zlib.crc32(packed), MAGIC))


def same_block_often(index: Index) -> None:
    stream = next(stream for stream in index.streams if stream.blocks)
    index.streams += [
        msgspec.structs.replace(stream, name=f"x{n}.records", head_bytes=0) for n in range(20_000)
    ]


def same_text_often(index: Index) -> None:
    index.text_parts *= 20_000


def huge_texts(index: Index) -> None:
    index.texts[0].bytes = 1 << 40


def records_of_others(index: Index) -> None:
    stream = next(stream for stream in index.streams if stream.blocks)
    stream.first, stream.records = 0, stream.blocks[0].records
    index.streams.append(msgspec.structs.replace(stream, name="y.records", head_bytes=0, records=1))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (same_block_often, "the same records several times"),
        (same_text_often, "lie over each other"),
        (huge_texts, "its texts are of"),
        (records_of_others, "the same records several times"),
    ],
)
def test_packs_that_name_a_part_several_times(
    change: Callable[[Index], None], why: str, tmp_path: Path
) -> None:
    packed_trace(tmp_path)
    with_index(change)
    assert why in refused("explain", "T.weirtrace", "--no-page")
    assert why in refused("pack", "--unpack", "T.weirtrace", "--out", "U")
    assert not Path("U").exists()


def test_a_trace_is_not_unpacked_where_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed_trace(tmp_path)
    usual = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usual._replace(free=1000))
    said = refused("pack", "--unpack", "T.weirtrace", "--out", "U")
    assert "cannot unpack T.weirtrace" in said and "1000 B are free" in said
    assert not Path("U").exists()
