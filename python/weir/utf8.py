"""A binary file as one of text, for those who only write."""

from typing import BinaryIO


class Utf8Writer:
    """Encodes what is written to it. Unlike io.TextIOWrapper it holds nothing back, and closes nothing."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        """Write the text. Returns its characters."""
        self._out.write(text.encode())
        return len(text)
