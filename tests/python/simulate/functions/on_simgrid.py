"""Messages carried out by SimGrid: a second opinion on the network. Needs its Python module, nothing of Weir.

Reads JSON from standard input: `nodes`, `link` and `bisection` (null: none) in bytes/s each way, `latency` in
seconds, and `rounds`: lists of messages [from, to, bytes]. A rank, one on each node, begins a round when it
has sent and received all that it has in the one before. Prints JSON: `seconds`, and SimGrid's `version`.

The model is the plain one: shares are max-min fair and no protocol is imitated (CM02, no TCP window, all
factors 1).
"""

import json
import os
import sys
from itertools import chain
from typing import Any

import simgrid  # type: ignore[import-not-found]

CONFIG = (
    "network/model:CM02",
    "network/TCP-gamma:0",
    "network/latency-factor:1",
    "network/bandwidth-factor:1",
    "network/weight-S:0",
    "network/crosstraffic:0",
)


def main() -> None:
    asked = json.load(sys.stdin)
    told = os.dup(1)
    os.dup2(2, 1)  # SimGrid writes there, too
    engine = simgrid.Engine(["on_simgrid", "--log=root.threshold:error", *(f"--cfg={one}" for one in CONFIG)])
    hosts = platform(engine, asked)
    for rank, (host, mine) in enumerate(zip(hosts, of_ranks(asked), strict=True)):
        actor = simgrid.Actor.create(str(rank), host, lambda mine=mine: act(mine))
        for name, size in chain(*mine):
            if not size:  # a message is on its way when it is sent, wherever its receiver is
                simgrid.Mailbox.by_name(name).set_receiver(actor)
    engine.run()
    answer = {"seconds": simgrid.Engine.clock, "version": simgrid.simgrid_version}
    os.write(told, json.dumps(answer).encode())


def platform(engine: "simgrid.Engine", asked: dict[str, Any]) -> list["simgrid.Host"]:
    """Nodes around a switch, the lower and the upper half apart."""
    zone = simgrid.NetZone.create_full_zone("nodes")
    nodes, half = asked["nodes"], asked["nodes"] // 2
    hosts = [zone.create_host(str(node), 1e9) for node in range(nodes)]

    def links(name: str, speed: float, latency: float) -> list["simgrid.LinkInRoute"]:
        found = []
        for number in range(nodes if name != "half" else 2):
            link = zone.create_link(f"{name}{number}", speed)
            link.set_latency(latency)
            link.seal()
            found.append(simgrid.LinkInRoute(link))
        return found

    out, into = links("out", asked["link"], asked["latency"]), links("in", asked["link"], 0)
    crossing = links("half", asked["bisection"], 0) if asked["bisection"] else None
    pairs = {(one, other) for messages in asked["rounds"] for one, other, _ in messages}
    for one, other in sorted(pairs):
        route = [out[one], into[other]]
        if crossing and (one < half) != (other < half):
            route.insert(1, crossing[0 if one < half else 1])
        zone.add_route(hosts[one].netpoint, hosts[other].netpoint, None, None, route, False)
    zone.seal()
    return hosts


def of_ranks(asked: dict[str, Any]) -> list[list[list[tuple[str, int]]]]:
    """Of each rank in each round: the mailbox and the bytes that it sends, 0 where it receives."""
    found: list[list[list[tuple[str, int]]]] = [[] for _ in range(asked["nodes"])]
    for number, messages in enumerate(asked["rounds"]):
        mine: dict[int, list[tuple[str, int]]] = {}
        for place, (one, other, size) in enumerate(messages):
            mine.setdefault(one, []).append((f"{number}.{place}", size))
            mine.setdefault(other, []).append((f"{number}.{place}", 0))
        for rank, these in mine.items():
            found[rank].append(these)
    return found


def act(mine: list[list[tuple[str, int]]]) -> None:
    """What one rank does."""
    for these in mine:
        waited, kept = [], []
        for name, size in these:
            box = simgrid.Mailbox.by_name(name)
            if size:
                waited.append(box.put_async("", size))
            else:
                received, place_of_data = box.get_async()
                waited.append(received)
                kept.append(place_of_data)  # which SimGrid writes into
        simgrid.Comm.wait_all(waited)


if __name__ == "__main__":
    main()
