"""Colours of operations: people with any colour vision tell them apart, and all pages have the same."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from weir.explain.page.render import asset
from weir.figures.encoding import config
from weir.figures.operation_colours import COLOURS, OPERATIONS, colour, style
from weir.trace import model

Matrix = NDArray[np.float64]

# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes: A physiologically-based model for simulation of color
# vision deficiency, IEEE TVCG 15 (2009), table 1, severity 1.0; of linear RGB.
SEEN: dict[str, Matrix] = {
    "all colours": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
FAR, NEAR = 28, 18
"""CIELAB distances; one of about 2 is just noticed side by side."""


def lab(colour: str, seen: Matrix) -> Matrix:
    """In CIELAB, of sRGB (IEC 61966-2-1)."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(seen @ linear, 0, 1) / WHITE
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("dark", [False, True], ids=["light paper", "dark paper"])
@pytest.mark.parametrize("seen", SEEN)
def test_all_can_be_told_apart(seen: str, dark: bool) -> None:
    def nearest(kinds: list[str]) -> float:
        places = [lab(colour(kind, dark=dark), SEEN[seen]) for kind in kinds]
        return min(float(np.linalg.norm(one - other)) for one, other in itertools.combinations(places, 2))

    assert nearest(list(OPERATIONS)) >= FAR
    assert nearest([kind for kind in COLOURS if kind != model.MARK]) >= NEAR


def test_every_kind_of_a_trace_has_a_colour() -> None:
    kinds = {value for name, value in vars(model).items() if name.isupper() and isinstance(value, str)}
    assert kinds == set(COLOURS)


def test_reports_and_pages_of_traces_have_the_same() -> None:
    assert config()["range"]["operation"] == [colour(operation) for operation in OPERATIONS]
    assert (
        f"--kind-sync: {COLOURS['sync'][0]};" in style() and f"--kind-sync: {COLOURS['sync'][1]};" in style()
    )
    assert "--kind-" not in asset("page.css"), "they stand in one place"
