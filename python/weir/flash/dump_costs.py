"""The sizes of the files that the benchmark FLASH-IO writes, by formula.

A rank has as many blocks as rank 0, and rank mod 3 more. A block adds to each file its place in the tree and
its unknowns: 24 of eight bytes to a checkpoint, 4 of four bytes to a plot file; of its corners there are
(n + 1)^3. A header of fixed size comes first. HDF5's own metadata, at most 16 KB in a checkpoint and 9 KB in
a plot file if nothing is aligned, depend on the library and are not part of the formula.

Source: M. Zingale, FLASH-IO (2001); S. Saini et al., A Scalability Study of SGI Clustered XFS Using HDF Based
AMR Application (2006), for the blocks.
"""

from dataclasses import dataclass

FILES = ("checkpoint", "plot", "corner")
"""The phases that write them, in their order."""
SIDES = (8, 16, 32)
"""Cells along a block's side, as in the paper."""
PAPER_RANKS = (1, 4, 8, 16, 32, 64, 128, 256, 384, 508)
"""Processors of the paper's figures."""
_SMALL_SIDE, _SMALL_BLOCKS, _BLOCKS = 8, 80, 160


@dataclass(frozen=True)
class _File:
    header: int
    tree: int
    unknowns: int
    number: int
    corners: int = 0


_LAYOUT = {
    "checkpoint": _File(header=196, tree=164, unknowns=24, number=8),
    "plot": _File(header=104, tree=116, unknowns=4, number=4),
    "corner": _File(header=104, tree=116, unknowns=4, number=4, corners=1),
}


def all_blocks(ranks: int, side: int, first: int = 0) -> int:
    """Blocks of all ranks; `first` are those of rank 0, where 0 stands for the benchmark's own number."""
    usual = _SMALL_BLOCKS if side <= _SMALL_SIDE else _BLOCKS
    whole, rest = divmod(ranks, 3)
    return ranks * (first or usual) + 3 * whole + (1 if rest == 2 else 0)


def data_bytes(file: str, ranks: int, side: int, first: int = 0) -> int:
    """Bytes that the benchmark puts into one of FILES, without those of the format."""
    found = _LAYOUT[file]
    block = found.tree + found.unknowns * found.number * (side + found.corners) ** 3
    return found.header + all_blocks(ranks, side, first) * block


def data_bytes_of_all(ranks: int, side: int, first: int = 0) -> int:
    """Of the three files together."""
    return sum(data_bytes(file, ranks, side, first) for file in FILES)
