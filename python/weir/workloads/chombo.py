"""Chombo: block-structured adaptive meshes, all levels in one shared file, a dataset each."""

from weir.pattern import File, Pattern, Step, phase_of
from weir.workloads import workload
from weir.workloads._steps import closed, opened, written

COMPONENTS, CELLS, REAL = 5, 16, 8
"""Variables of a cell, cells along an edge of a box, and bytes of a value: of gas dynamics in 3-D."""
LEVELS = ((1, 0), (2, 1), (3, 2))
"""Of each level its boxes, as a multiple of those that a rank is given, and boxes more: finer levels have
more boxes, and numbers that ranks do not divide."""
BOX_BYTES = COMPONENTS * CELLS**3 * REAL


@workload("chombo")
def chombo(ranks: int, boxes: int) -> Pattern:
    """A plot file: of each level two small datasets (the boxes' corners, 24 B a box, and where their data
    begin, 8 B a box), then one of all boxes' data, in which each rank writes its boxes one by one, in order,
    5 components of 16 x 16 x 16 cells each. `boxes` is what a rank has of the coarsest level.

    Source: Chombo 3.2 (LBNL), lib/src/BoxTools/CH_HDF5.H: groups `level_N` with a dataset
    `data:datatype=0` of one dimension and `data:offsets=0`, a hyperslab and a H5Dwrite a box, independent
    unless built otherwise. That rank 0 writes the small datasets, and the numbers of boxes, are assumed.
    """
    steps, end = [opened(0)], 0
    for times, more in LEVELS:
        number = times * boxes * ranks + more
        for bytes_ in (24 * number, 8 * (number + 1)):
            steps.append(written(0, end, bytes_, ranks=(0, 1)))
            end += bytes_
        steps += _level(end, number, ranks)
        end += number * BOX_BYTES
    return Pattern(
        weir_pattern=1,
        name="chombo",
        ranks=ranks,
        files=[File(name="chombo.hdf5", per_rank=False)],
        phases=[phase_of("plot file", [*steps, closed(0)])],
    )


def _level(start: int, boxes: int, ranks: int) -> list[Step]:
    """The boxes in runs as even as possible, the first ranks' one longer."""
    each, more = divmod(boxes, ranks)
    found = []
    for count, first, number in ((each + 1, 0, more), (each, more, ranks - more)):
        if count and number:
            place = start + (first * each + min(first, more)) * BOX_BYTES
            found.append(
                written(
                    0, place, BOX_BYTES, ranks=(first, number), count=count, rank_stride=count * BOX_BYTES
                )
            )
    return found
