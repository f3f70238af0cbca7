"""The choice of the first paper that predicted an application from IOR."""

from dataclasses import replace

from weir.mimic.parameters import Parameters
from weir.mimic.presets import preset

TRANSFER = 2 << 20


@preset("shan-2007")
def shan_2007(derived: Parameters) -> Parameters:
    """Transfers of 2 MiB, one segment, and a block of what a rank has of one matrix, rounded up to whole
    transfers: 76 MiB for 8 nPix²/P = 78,125,000 B (Shan and Shalf 2007, section 6; through MPI-IO)."""
    own = max(derived.segments * derived.block, 1)
    return replace(
        derived,
        block=-(-own // TRANSFER) * TRANSFER,
        transfer=TRANSFER,
        segments=1,
        offsets="sequential",
        collective=False,
        together=False,
        datasets="one",
    )
