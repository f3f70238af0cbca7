"""The shape of a machine model. What each key means, its unit and its default are declared here, once."""

from collections.abc import Iterator
from typing import Annotated, get_args, get_type_hints

import msgspec
from msgspec import Meta

from weir.simulate.curve import CURVE
from weir.simulate.keys import NONE, Key
from weir.simulate.kinds import COMPUTING, COUNT, RATE, ROOM, SIZE, TEXT, TIME, Raw, choice
from weir.toml.names import NAME


class Given(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A value as it is written: with its source, and of one that was measured its interval and samples."""

    value: Annotated[Raw, Meta(examples=['"350 MB/s"'])]
    source: Annotated[str, Meta(examples=['"paper: section 2.1"'])]
    low: Annotated[Raw | None, Meta(examples=['"320 MB/s"'])] = None
    high: Annotated[Raw | None, Meta(examples=['"380 MB/s"'])] = None
    n: Annotated[int | None, Meta(examples=["20"])] = None


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


Maybe = Given | None
TOPOLOGY = choice("full", "fat-tree", "torus", "mesh", "hypercube", "shared")
LOCK = choice("none", "stripe", "target", "file", size=True)
HOLDER = choice("node", "rank")
HELD = choice("request", "call")
PARTIAL = choice("none", "read-modify-write")
DRAIN = choice("at once", "at sync")
OPENING = choice("each", "tree", "one")


class Nodes(_Table, frozen=True, kw_only=True):
    """`[nodes]`: those that compute."""

    count: Annotated[Given, Key(COUNT, "compute nodes", example="120")]
    ranks: Annotated[Given, Key(COUNT, "ranks that a node gets at most")]
    processors: Annotated[Maybe, Key(COUNT, "that they share", "nodes.ranks")] = None
    memory: Annotated[Given, Key(SIZE, "of a node", example="16 GiB")]
    copy: Annotated[Given, Key(RATE, "one rank copies memory", example="2 GB/s")]
    copy_together: Annotated[Maybe, Key(RATE, "all ranks of a node do", "nodes.copy x nodes.ranks")] = None
    flops: Annotated[Maybe, Key(COMPUTING, "of a rank in a good matrix product", NONE)] = None
    stream: Annotated[Maybe, Key(RATE, "a rank's STREAM copy with all of its node busy", NONE)] = None
    copies: Annotated[Maybe, Key(CURVE, "a rank copies what its caches may hold", NONE)] = None
    combines: Annotated[Maybe, Key(CURVE, "a rank sums two operands of so many bytes", NONE)] = None


class Network(_Table, frozen=True, kw_only=True):
    """`[network]`: between nodes, and within one."""

    topology: Annotated[Maybe, Key(TOPOLOGY, "how nodes are connected", "full")] = None
    latency: Annotated[Given, Key(TIME, "one way, between nodes")]
    overhead: Annotated[Given, Key(TIME, "a processor's, for a message at each end", example="1 us")]
    link: Annotated[Given, Key(RATE, "a node's connection, each way", example="2 GB/s")]
    bandwidth: Annotated[Maybe, Key(RATE, "of one message at most", "network.link")] = None
    bisection: Annotated[Maybe, Key(RATE, "between two halves of the machine, each way", NONE)] = None
    latency_within: Annotated[Maybe, Key(TIME, "between ranks of a node", "network.latency")] = None
    bandwidth_within: Annotated[Maybe, Key(RATE, "of one message within a node", "nodes.copy")] = None
    one_within: Annotated[
        Maybe, Key(CURVE, "a message within a node, beside overheads, in place of these two", NONE)
    ] = None
    both_within: Annotated[
        Maybe, Key(CURVE, "the same where its sender receives one meanwhile", "network.one_within")
    ] = None
    further_within: Annotated[
        Maybe, Key(CURVE, "in place of both, to a rank that receives another meanwhile", NONE)
    ] = None
    rooted_within: Annotated[
        Maybe, Key(TIME, "a function from or to one rank within a node, beside its messages", NONE)
    ] = None
    fresh_within: Annotated[Maybe, Key(CURVE, "added where its sender has just written its bytes", NONE)] = (
        None
    )


class Servers(_Table, frozen=True, kw_only=True):
    """`[storage.servers]`: those that do the I/O. A request is at its client, then at its server, then at its
    target."""

    count: Annotated[Given, Key(COUNT, "I/O servers")]
    link: Annotated[Given, Key(RATE, "of each, each way", example="2 GB/s")]
    request: Annotated[Maybe, Key(TIME, "a server's processor, for each request", "0")] = None
    at_once: Annotated[
        Maybe, Key(COUNT, "requests that it moves at a time, each at the rate of its link", "1")
    ] = None


class Targets(_Table, frozen=True, kw_only=True):
    """`[storage.targets]`: what data lie on: OSTs, arrays, LUNs."""

    count: Annotated[Given, Key(COUNT, "of all servers together", example="48")]
    read: Annotated[Given, Key(RATE, "of one")]
    write: Annotated[Given, Key(RATE, "of one")]
    request: Annotated[Given, Key(TIME, "for each request, whatever its size", example="1 ms")]
    request_read: Annotated[Maybe, Key(TIME, "for each request that reads", "storage.targets.request")] = None
    positioning: Annotated[
        Maybe, Key(TIME, "added where a request does not begin where the last one ended", "0")
    ] = None
    partial_stripe: Annotated[Maybe, Key(PARTIAL, "what a write of part of a stripe does", "none")] = None
    cache: Annotated[Maybe, Key(ROOM, "of a target's server, which takes writes as its link does", "0")] = (
        None
    )
    drain: Annotated[Maybe, Key(DRAIN, "when what is in the cache gets written", "at once")] = None
    read_cache: Annotated[
        Maybe, Key(ROOM, "what its server keeps: files to read, stripes to write parts of", "0")
    ] = None


class Locks(_Table, frozen=True, kw_only=True):
    """`[storage.locks]`: of clients that write to a file together."""

    unit: Annotated[Maybe, Key(LOCK, "what a client locks for writing", "none")] = None
    of: Annotated[Maybe, Key(HOLDER, "who holds a lock", "node")] = None
    held: Annotated[
        Maybe,
        Key(HELD, "for a request at its server, or for a whole write call", "request"),
    ] = None
    transfer: Annotated[Maybe, Key(TIME, "to take a lock that another client holds", "0")] = None
    waiter: Annotated[Maybe, Key(TIME, "added for each client that waits for it", "0")] = None
    waiter_mib: Annotated[Maybe, Key(TIME, "the same for each MiB that is written under it", "0")] = None


class Metadata(_Table, frozen=True, kw_only=True):
    """`[storage.metadata]`: service times of the servers that know files."""

    servers: Annotated[Maybe, Key(COUNT, "files are spread over them by name", "1")] = None
    at_once: Annotated[Maybe, Key(COUNT, "operations that a server works on at a time", "1")] = None
    open: Annotated[Given, Key(TIME, "an open", example="1 ms")]
    create: Annotated[Maybe, Key(TIME, "a create", "storage.metadata.open")] = None
    close: Annotated[Given, Key(TIME, "a close", example="0.5 ms")]
    remove: Annotated[Maybe, Key(TIME, "a remove", "storage.metadata.create")] = None
    rename: Annotated[Maybe, Key(TIME, "a rename", "storage.metadata.create")] = None
    freed: Annotated[Maybe, Key(RATE, "written bytes of a file that is removed or replaced", NONE)] = None
    sync: Annotated[Maybe, Key(TIME, "a sync, beside the data", "0")] = None
    base: Annotated[Maybe, Key(TIME, "added to each operation, not queued", "0")] = None
    collective: Annotated[
        Maybe,
        Key(OPENING, "who opens a file of all ranks", "each"),
    ] = None


class Storage(_Table, frozen=True, kw_only=True):
    """`[storage]`: the file system, as clients see it."""

    file_system: Annotated[Given, Key(TEXT, "its name")]
    stripe: Annotated[Given, Key(SIZE, "of a stripe unit")]
    stripes: Annotated[Given, Key(COUNT, "targets of a file, if nobody asks for another number")]
    most_stripes: Annotated[Maybe, Key(COUNT, "targets of a file at most", "storage.targets.count")] = None
    request: Annotated[Given, Key(SIZE, "the largest that a client sends to a target")]
    in_flight: Annotated[Maybe, Key(COUNT, "requests of a rank under way at a time", "8")] = None
    call: Annotated[Given, Key(TIME, "a rank's processor, for a read or a write", example="20 us")]
    seek: Annotated[Maybe, Key(TIME, "a seek that asks nobody", "0")] = None
    seek_served: Annotated[Maybe, Key(TIME, "a seek that is served, one after another of a file", "0")] = None
    client: Annotated[Maybe, Key(RATE, "one node to storage at most", "network.link")] = None
    routers: Annotated[Maybe, Key(RATE, "all nodes to storage together", NONE)] = None
    cache: Annotated[Maybe, Key(ROOM, "write-behind of a node; 0: the server answers writes", "0")] = None
    copy: Annotated[Maybe, Key(RATE, "one rank writes into that cache", "nodes.copy")] = None
    read_cache: Annotated[Maybe, Key(ROOM, "that a node keeps for reading", "0")] = None
    read_ahead: Annotated[
        Maybe, Key(ROOM, "that a node reads where a read follows the last one, to keep", "0")
    ] = None
    gather: Annotated[
        Maybe, Key(ROOM, "of a unit that a rank's writes fill before it is sent; 0: each is sent", "0")
    ] = None
    aggregators: Annotated[
        Maybe, Key(COUNT, "ranks that move a collective access's data; none: as a file has stripes", NONE)
    ] = None
    collective_buffer: Annotated[Maybe, Key(SIZE, "what each of them moves in a round", "16 MiB")] = None
    collective_rank: Annotated[
        Maybe, Key(TIME, "added to each round for each rank of a collective access", "0")
    ] = None
    servers: Annotated[Servers, Meta(examples=["[storage.servers]"])]
    targets: Annotated[Targets, Meta(examples=["[storage.targets]"])]
    locks: Annotated[Locks, Meta(examples=["[storage.locks]"])] = Locks()
    metadata: Annotated[Metadata, Meta(examples=["[storage.metadata]"])]


class MachineFile(_Table, frozen=True, kw_only=True):
    """A whole model."""

    name: Annotated[str, Meta(pattern=NAME, examples=['"sp-piofs"'])]
    title: Annotated[str, Meta(examples=['"IBM SP at Argonne, PIOFS, 1996"'])]
    nodes: Annotated[Nodes, Meta(examples=["[nodes]"])]
    network: Annotated[Network, Meta(examples=["[network]"])]
    storage: Annotated[Storage, Meta(examples=["[storage]"])]


Path = tuple[str, ...]
"""Of a key: ("storage", "targets", "write")."""


def tables(kind: type[msgspec.Struct] = MachineFile, below: Path = ()) -> Iterator[tuple[Path, type[_Table]]]:
    """The tables of a model in their order, each with its place."""
    for name, hint in get_type_hints(kind).items():
        if isinstance(hint, type) and issubclass(hint, _Table):
            yield (*below, name), hint
            yield from tables(hint, (*below, name))


def keys_of(table: type[_Table]) -> dict[str, Key]:
    """Its keys, by name."""
    hints = get_type_hints(table, include_extras=True)
    found = {name: [one for one in get_args(hint) if isinstance(one, Key)] for name, hint in hints.items()}
    return {name: keys[0] for name, keys in found.items() if keys}


KEYS: dict[Path, Key] = {
    (*place, name): key for place, table in tables() for name, key in keys_of(table).items()
}
"""All of a model."""
