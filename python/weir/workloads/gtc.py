"""GTC: a particle-in-cell code of fusion plasmas, a restart file a process."""

from weir.pattern import File, Pattern, Step, phase_of
from weir.workloads import workload
from weir.workloads._steps import closed, opened, written

PARTICLE = 8 * 8
"""Bytes of an ion: seven coordinates and weights (`zion`) and one kept value (`zion0`), 8 bytes each."""
MARKERS = 8
"""Fortran begins and ends an unformatted record with its length, 4 bytes each."""
FIELDS = 1 << 18
"""Bytes of the record before it: counters, profiles and the potential on a rank's part of the grid."""
CLOSING = 64
"""Bytes of the record in which rank 0 keeps a tracer."""


@workload("gtc")
def gtc(ranks: int, particles: int) -> Pattern:
    """A restart file of each process: a record of fields, then one of all its ions, 64 B each, in one
    write. `particles` is what a rank has.

    Source: GTC version 1 (Z. Lin, 2008), `restart_write`: unformatted files `DATA_RESTART.NNNNN`, one a
    process, with the records `mi, me, ntracer, …, phi, phip00, zonali, zonale`; on rank 0 `etracer, ptracer`;
    `zion(1:nparam,1:mi), zion0(6,1:mi)`. Here all values have 8 bytes and nparam is 7; the size of the fields
    is assumed, and electrons are none.
    """
    fields, ions = FIELDS + MARKERS, particles * PARTICLE + MARKERS
    steps: list[Step] = [
        opened(0),
        written(0, 0, fields, ranks=(0, ranks)),
        written(0, fields, CLOSING + MARKERS, ranks=(0, 1)),
        written(0, fields + CLOSING + MARKERS, ions, ranks=(0, ranks)),
        closed(0),
    ]
    return Pattern(
        weir_pattern=1,
        name="gtc",
        ranks=ranks,
        files=[File(name="DATA_RESTART", per_rank=True)],
        phases=[phase_of("restart", steps)],
    )
