"""A run as it is shown to others: read with hashes in place of arguments, paths and host names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from weir.redaction import Redactor
from weir.store.records import AnyRecord
from weir.store.run_directory import RunDirectory, RunInfo


class RedactedRun(RunDirectory):
    """The run in a directory, each text that is read of it redacted. Nothing is written to it."""

    def __init__(self, path: Path, redactor: Redactor | None = None) -> None:
        super().__init__(path)
        self._redactor = redactor or Redactor(_hosts(super().info()))

    def info(self) -> RunInfo:
        """What ran."""
        plain: dict[str, Any] = msgspec.to_builtins(super().info())
        study = plain.pop("study")  # its name and title are the author's words for the study
        return msgspec.convert({**self._redactor.tree(plain), "study": study}, RunInfo)

    def study_text(self) -> str:
        """The study, with the paths in it replaced."""
        return self._redactor.text(super().study_text())

    def stream(self, damaged_lines: list[int] | None = None) -> Iterator[AnyRecord]:
        """The records."""
        for record in super().stream(damaged_lines):
            yield msgspec.convert(self._redactor.tree(msgspec.to_builtins(record)), type(record))


def open_run(path: Path, *, redact: bool) -> RunDirectory:
    """The run in a directory, redacted or as it is. Raises WeirError if one to be redacted is no run."""
    return RedactedRun(path) if redact else RunDirectory(path)


def _hosts(info: RunInfo) -> list[str]:
    """The names that the machine's host goes by."""
    machine = info.machine or {}
    sections = (machine.get("host"), machine.get("core"))
    found = {
        str(section.get(key) or "")
        for section in sections
        if isinstance(section, dict)
        for key in ("name", "host")
    }
    return [name for name in found if len(name) > 1]
