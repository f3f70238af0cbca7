"""The Intel MPI Benchmarks, and PMB, which they were: MPI1, EXT, IO, NBC and RMA."""

from weir.reading.reader import Reader, reader
from weir.reading.readers._imb.samples import launch_of
from weir.reading.readers._imb.scan import BEGIN, scan
from weir.reading.result import ReadLaunch


@reader
class Imb(Reader):
    """Their standard output, complete or not."""

    what = "IMB"

    def recognises(self, text: str) -> bool:
        """By the heading, or by the title of a table where somebody cut that off."""
        return BEGIN.search(text) is not None or "# Benchmarking " in text

    def read(self, text: str) -> list[ReadLaunch]:
        """Several starts where outputs were put one behind the other."""
        return [launch_of(output) for output in scan(text)]
