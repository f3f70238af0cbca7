"""What exporters of tables share: a text writer for CSV, and Apache Parquet's library, which is not installed
with Weir's base."""

import importlib
from typing import Any, BinaryIO

from weir.extras import lacking


def parquet_library() -> tuple[Any, Any]:
    """pyarrow and pyarrow.parquet. Raises WeirError where they are not installed."""
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise lacking("pyarrow", "parquet", "cannot write Parquet") from error


class Utf8Writer:
    """Encodes what is written to it. Unlike io.TextIOWrapper it holds nothing back, and closes nothing."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        """Write the text. Returns its characters."""
        self._out.write(text.encode())
        return len(text)
