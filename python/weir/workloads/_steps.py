"""The few kinds of steps of which the workloads' patterns consist."""

from weir.pattern import Access, Close, Extent, Open, Order, RankSet, Step, levels_of


def opened(file: int) -> Step:
    """All ranks create the file."""
    return Step(open=Open(file=file, mode="create"))


def closed(file: int) -> Step:
    """They close it."""
    return Step(close=Close(file=file))


def written(  # noqa: PLR0913 - an access's own
    file: int,
    start: int,
    length: int,
    *,
    ranks: tuple[int, int],
    count: int = 1,
    rank_stride: int = 0,
) -> Step:
    """Ranks, from the first of so many, write pieces of that length one behind the other, each rank's part
    that far behind the one of the rank before."""
    first, number = ranks
    return Step(
        access=Access(
            verb="write",
            file=file,
            ranks=RankSet(first=first, count=number, step=1),
            rank_levels=levels_of([(number, rank_stride)] if rank_stride and number > 1 else []),
            extent=Extent(
                start=start, levels=levels_of([(count, length)] if count > 1 else []), length=length
            ),
            order=Order(kind="sequential"),
            sync_each=False,
        )
    )
