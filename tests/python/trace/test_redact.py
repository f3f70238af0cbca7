"""A trace without names says the same of what was done."""

import json
import struct
from pathlib import Path

import pytest

from verbs import weir_here
from weir.redaction import Redactor
from weir.trace.load import load_trace
from weir.trace.model import Trace
from weir.trace.open import open_trace
from weir.trace.redact import redact_folder, redacted, redacted_text

from .synthetic import packed, rows_of_rank, write_trace

SECRETS = (b"secret", b"ann")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = write_trace(tmp_path / "T", {rank: rows_of_rank(rank) for rank in (0, 1)})
    head = {"command": ["mpirun", "secret", "/home/ann/x"], "host": "ann", "process": 5}
    (made / "head.json").write_text(json.dumps(head))
    (made / "page.html").write_text("made before")
    return made


def what(trace: Trace) -> list[object]:
    """All that a trace says but names."""
    facts = [trace.ranks, len(trace.files), len(trace.hosts), trace.calls, trace.communicators, trace.records]
    columns = ("records", "begin_ns", "call", "file")
    return facts + [getattr(batch, name).tolist() for batch in trace.batches() for name in columns]


def names(trace: Trace) -> set[str]:
    return {part for file in trace.files for part in file.name.split("/") if part} | set(trace.hosts)


def assert_redacted(before: Trace, after: Trace) -> None:
    assert what(before) == what(after)
    assert names(before) and not names(before) & names(after)
    assert not {word for word in before.command.split() if len(word) > 1} & set(after.command.split())


def test_a_folder(folder: Path) -> None:
    before = load_trace(folder)
    hosts = before.hosts
    redact_folder(folder, Redactor())
    assert_redacted(before, load_trace(folder))
    for path in folder.iterdir():
        if path.suffix != ".html":
            assert not any(secret in path.read_bytes() for secret in SECRETS)
            assert not any(host in path.name for host in hosts)


def test_a_packed_trace(folder: Path) -> None:
    (folder / "notes.json").write_text('"secret"')
    assert_redacted(load_trace(folder), open_trace(packed(folder, redactor=Redactor())))


def test_what_was_read(folder: Path) -> None:
    trace = load_trace(folder)
    assert_redacted(trace, redacted(trace, Redactor()))


def test_what_is_cut_off_or_not_known_is_not_kept() -> None:
    redactor = Redactor()
    entry = struct.pack("<4I", 2, 1, 11, 0) + b"/ann/secret" + bytes(5)
    cut = struct.pack("<4I", 2, 2, 100, 0) + b"secr"
    table = redacted_text("n-1-2.names", entry + cut, redactor)
    assert b"ann" not in table and b"secr" not in table and table.endswith(struct.pack("<4I", 2, 2, 100, 0))
    facts = b'{"host":"ann","how":"x","clock":"tsc","command":"a secret","process":5,"more":{"ann":1}}\n'
    facts += b'{"cut":"secr'
    found = redacted_text("n-1-2.process", facts, redactor)
    assert b"ann" not in found.replace(b'"ann":', b"") and b"secr" not in found
    assert b'"process":5' in found and b'"clock":"tsc"' in found


def run_verb(*words: object) -> str:
    """What `weir` prints; it is to end with 0."""
    told = weir_here(*words)
    assert told.exit_code == 0, told.output
    return told.output


def test_a_page_and_a_pattern(folder: Path, tmp_path: Path) -> None:
    page, pattern = tmp_path / "page.html", tmp_path / "p.json"
    told = run_verb("explain", folder, "--all", "--redact", "--page", page)
    table = run_verb("explain", folder, "--redact", "--json")
    words = run_verb("pattern", folder, "--redact", "--out", pattern)
    assert "out-0" in run_verb("explain", folder, "--all", "--no-page"), "as it is without"
    made = [path.read_text() for path in (page, *tmp_path.glob("p.*"))]
    assert len(made) >= 2
    for text in (told.replace(str(page), ""), table, words.replace(str(tmp_path), ""), *made):
        assert not any(secret in text for secret in ("secret", "/ann", "out-0")), text
