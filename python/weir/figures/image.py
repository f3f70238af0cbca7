"""Values as an image: which colour stands for a value, and cells as the pixels of a PNG.

viridis, by S. van der Walt and N. Smith (2015, in the public domain): perceptually even, also in grey and to
people of any colour vision. Between its ten places colours are mixed in RGB, here and in the colour bar.
"""

import base64
import math
import struct
import zlib
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from weir.figures.encoding import log_ticks

VIRIDIS = (
    *("#440154", "#482878", "#3e4989", "#31688e", "#26828e"),
    *("#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"),
)
SHADES = 256
GAP = (0xC4, 0xC9, 0xD0)
"""The colour of a cell without a number."""
Values = NDArray[np.float64]
Shade = TypeVar("Shade", np.uint8, np.bool_)
LOG_FROM_RATIO = 10
_LABEL = "datum.value >= 1e-3 && datum.value < 1e5 ? format(datum.value, ',~r') : format(datum.value, '.3~e')"
_SAME = 1e-6
"""Values closer than this, relatively, are one: single precision knows no more."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3
"""Pixels are numbers of a palette's colours: W3C, Portable Network Graphics, section 11.2.1."""


class Scale(Protocol):
    """Which colour stands for which value. kind: Vega-Lite's type of such values; low: one of them."""

    kind: ClassVar[str]

    @property
    def low(self) -> float:
        """A value that has a colour."""

    def shades(self, values: Values) -> NDArray[np.uint8]:
        """The values' places in the palette."""

    def vega(self) -> dict[str, Any]:
        """The same as Vega-Lite's scale."""

    def ticks(self) -> dict[str, Any]:
        """The text next to the colour bar."""


@dataclass(frozen=True)
class ColourScale:
    """From low to high, with low < high; logarithmic only above zero."""

    kind: ClassVar[str] = "quantitative"
    low: float
    high: float
    logarithmic: bool

    @classmethod
    def of(cls, values: Values) -> "ColourScale":
        """The scale for all values: logarithmic where they are positive and span more than a factor of 10."""
        even = cls.linear(values)
        return cls(even.low, even.high, even.low > 0 and even.high / even.low > LOG_FROM_RATIO)

    @classmethod
    def linear(cls, values: Values) -> "ColourScale":
        """The linear scale for all values; where they are all the same, that has the colour in the middle."""
        low, high = float(values.min()), float(values.max())
        most = max(abs(low), abs(high))
        if high - low > _SAME * most:
            return cls(low, high, False)
        room = most / 2 or 1.0
        return cls((low + high) / 2 - room, (low + high) / 2 + room, False)

    def shades(self, values: Values) -> NDArray[np.uint8]:
        """0 to SHADES - 1, for values in the range."""
        low, high = self.low, self.high
        if self.logarithmic:
            values, low, high = np.log(values), math.log(low), math.log(high)
        share = (values - low) / (high - low)
        return np.asarray(np.clip(share * SHADES, 0, SHADES - 1), np.uint8)

    def vega(self) -> dict[str, Any]:
        """The same as Vega-Lite's scale."""
        kind = "log" if self.logarithmic else "linear"
        colours = {"range": list(VIRIDIS), "interpolate": "rgb"}
        ends = np.geomspace if self.logarithmic else np.linspace
        domain = ends(self.low, self.high, len(VIRIDIS)).tolist()
        return {"type": kind, "domain": domain, "nice": False, "zero": False, **colours}

    def ticks(self) -> dict[str, Any]:
        """The text next to the colour bar."""
        if self.logarithmic:
            return {"values": log_ticks(self.low, self.high), "labelExpr": _LABEL}
        most = max(abs(self.low), abs(self.high))
        return {"tickCount": 6} | ({} if 1e-3 <= most < 1e5 else {"format": "~e"})


def palette() -> NDArray[np.uint8]:
    """The colours of all shades: (SHADES, 3), red, green and blue."""
    anchors = np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in VIRIDIS])
    places = np.linspace(0, 1, len(anchors))
    at = np.linspace(0, 1, SHADES)
    return np.stack([np.rint(np.interp(at, places, part)) for part in anchors.T], axis=1).astype(np.uint8)


def png(shades: NDArray[np.uint8], gaps: NDArray[np.bool_] | None = None) -> bytes:
    """An image of the palette's colours; rows from the bottom to the top, as axes count. Gaps are grey, which
    then takes the place of the last shade."""
    height, width = shades.shape
    colours = palette()
    if gaps is not None:
        shades = np.where(gaps, np.uint8(SHADES - 1), np.minimum(shades, SHADES - 2))
        colours[-1] = GAP
    head = struct.pack(">IIBBBBB", width, height, 8, _INDEXED, 0, 0, 0)
    unfiltered = np.zeros((height, width + 1), np.uint8)
    unfiltered[:, 1:] = shades[::-1]
    chunks = (
        (b"IHDR", head),
        (b"PLTE", colours.tobytes()),
        (b"IDAT", zlib.compress(unfiltered.tobytes(), 6)),
    )
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in (*chunks, (b"IEND", b"")))


def data_url(image: bytes) -> str:
    """The image as a link that holds it."""
    return "data:image/png;base64," + base64.b64encode(image).decode()


def enlarged(shades: NDArray[Shade], rows: int, columns: int) -> NDArray[Shade]:
    """Each cell as that many rows and columns of pixels, so that nothing that draws it blurs it."""
    return shades.repeat(rows, axis=0).repeat(columns, axis=1)


def coarser(values: Values, most: int) -> Values:
    """No more than `most` rows and columns: means of neighbours where there are more."""
    for axis in (0, 1):
        size = values.shape[axis]
        starts = np.arange(0, size, -(-size // most))
        counts = np.diff(starts, append=size)
        shape = (-1, 1) if axis == 0 else (1, -1)
        values = np.add.reduceat(values, starts, axis) / counts.reshape(shape)
    return values


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
