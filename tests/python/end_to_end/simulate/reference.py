"""What writes take on a machine, computed plainly and independently of the simulator: requests byte by
byte, queues as lists of ends."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any


@dataclass
class Queue:
    """First come, first served."""

    free: float = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """When a service ends."""
        self.free = max(self.free, now) + seconds
        return self.free


def requests(storage: dict[str, Any], offset: int, length: int, file: int) -> list[tuple[int, int, int]]:
    """Target, place there and bytes of each request, in the order of sending."""
    stripe, stripes, most = storage["stripe_bytes"], storage["stripes"], storage["request_bytes"]
    places: dict[int, list[int]] = {}
    for at in range(offset, offset + length):
        number = at // stripe
        places.setdefault(number % stripes, []).append(number // stripes * stripe + at % stripe)
    targets = storage["targets"]["count"]
    first = offset // stripe
    order = sorted(places, key=lambda place: (place - first) % stripes)
    cut = {
        place: [places[place][i : i + most] for i in range(0, len(places[place]), most)] for place in order
    }
    rounds = max((len(parts) for parts in cut.values()), default=0)
    return [
        ((file * stripes + place) % targets, cut[place][turn][0], len(cut[place][turn]))
        for turn in range(rounds)
        for place in order
        if turn < len(cut[place])
    ]


@dataclass
class Rank:
    """What it has still to do."""

    operations: Iterator[tuple[int, int]]
    waiting: list[tuple[int, int, int]] = field(default_factory=list)
    under_way: int = 0


def time_of_writes(machine: dict[str, Any], work: list[list[tuple[int, int]]]) -> float:
    """Seconds until all ranks, each on a node of its own, have written their (offset, bytes) one after the
    other into one file. A call takes no time, locks and caches are not."""
    storage, network = machine["storage"], machine["network"]
    targets = storage["targets"]
    servers = storage["servers"]["count"]
    link = [Queue() for _ in work]
    inward = [Queue() for _ in range(servers)]
    disk = [Queue() for _ in range(targets["count"])]
    position: dict[int, int] = {}
    events: list[tuple[float, int, str, int, tuple[int, int, int]]] = []
    number = count()
    ranks = [Rank(iter(one)) for one in work]
    last = 0.0

    def put(when: float, kind: str, rank: int, what: tuple[int, int, int] = (0, 0, 0)) -> None:
        heapq.heappush(events, (when, next(number), kind, rank, what))

    def send(now: float, rank: int) -> None:
        me = ranks[rank]
        while me.waiting and me.under_way < storage["in_flight"]:
            me.under_way += 1
            what = me.waiting.pop(0)
            left = link[rank].serve(now, what[2] / storage["client_bytes_per_s"])
            put(left + network["latency_s"], "server", rank, what)

    for rank in range(len(work)):
        put(0.0, "next", rank)
    while events:
        now, _, kind, rank, what = heapq.heappop(events)
        last = max(last, now)
        me = ranks[rank]
        if kind == "server":
            target, place, size = what
            here = inward[target % servers].serve(now, size / storage["servers"]["link_bytes_per_s"])
            seconds = targets["request_s"] + size / targets["write_bytes_per_s"]
            seconds += 0 if position.get(target) == place else targets["positioning_s"]
            position[target] = place + size
            put(disk[target].serve(here, seconds) + network["latency_s"], "done", rank)
            continue
        me.under_way -= 1 if kind == "done" else 0
        if not me.waiting and not me.under_way:
            found = next(me.operations, None)
            me.waiting = [] if found is None else requests(storage, *found, 0)
        send(now, rank)
    return last
