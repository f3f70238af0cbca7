#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "sim/curve.hpp"

namespace weir::sim {

/// Not a limit.
inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Compute nodes. Ranks are placed on them in order, `ranks` on each.
struct Nodes {
    std::uint64_t count = 1;
    std::uint64_t ranks = 1;           ///< of a node at most
    std::uint64_t processors = 0;      ///< that they share; 0: each has one
    double copy = unlimited;           ///< bytes/s at which one rank copies memory
    double copy_together = unlimited;  ///< bytes/s of all ranks of a node
};

/// Messages between ranks.
struct Network {
    double latency = 0;            ///< s, one way
    double overhead = 0;           ///< s of a processor, at each end
    double link = unlimited;       ///< bytes/s of a node, each way
    double bandwidth = unlimited;  ///< bytes/s of one message at most
    double bisection = unlimited;  ///< bytes/s between the halves of the machine, each way
    double latency_within = 0;     ///< of messages within a node
    double bandwidth_within = unlimited;
    Curve one_within{};      ///< in place of these two, a message within a node; none: these two
    Curve both_within{};     ///< the same where its sender receives in that exchange too
    Curve further_within{};  ///< in place of both, a message to a rank that receives another meanwhile
    Curve fresh_within{};    ///< added for bytes that the sender has just written
};

/// What a client locks before it writes.
enum class LockUnit { none, bytes, target, file };

/// Locks on shared files, as of Lustre's extents and CXFS's and GPFS's tokens.
struct LockRules {
    LockUnit unit = LockUnit::none;
    bool of_ranks = false;    ///< each rank is a client, not each node
    std::uint64_t bytes = 0;  ///< of a unit; 0: a stripe
    double transfer = 0;      ///< s to take a lock from another client
    double waiter = 0;        ///< s more for each client that waits for it
    double waiter_byte = 0;   ///< the same for each byte that is written under it
    bool of_calls = false;    ///< on files: held for a whole call and all that it waits for, not for a request
};

/// How all ranks open one file: each by itself; level by level along a binary tree; or one of them, for all.
enum class CollectiveOpen { each, tree, one };
constexpr std::array<std::string_view, 3> enum_names(CollectiveOpen) { return {"each", "tree", "one"}; }

/// Metadata servers: seconds of service for each operation.
struct Metadata {
    std::uint64_t servers = 1;
    std::uint64_t at_once = 1;  ///< operations of one server
    double base = 0;            ///< s of each operation beside its service; not queued
    double open = 0;
    double create = 0;
    double close = 0;
    double remove = 0;
    double rename = 0;
    double freed = unlimited;  ///< bytes/s of a removed or replaced file, of what was written to its targets
    double sync = 0;
    CollectiveOpen collective = CollectiveOpen::each;
};

/// Targets (OSTs, arrays, logical units) behind servers.
struct Targets {
    std::uint64_t count = 1;
    double read = unlimited;  ///< bytes/s of one
    double write = unlimited;
    double request = 0;  ///< s for each request, whatever its size
    double request_read = 0;
    double positioning = 0;              ///< s more where a request does not follow the last one
    bool reads_partial_stripes = false;  ///< a write of part of a stripe reads the stripe before
    double cache = 0;                    ///< bytes of each that its server accepts before they are written
    bool drains_at_sync = false;         ///< what it has accepted is written when a sync asks, or where it is full
    double read_cache = 0;               ///< bytes of each that its server keeps: files that fit are read from memory
};

struct Storage {
    std::uint64_t stripe = 1 << 20;
    std::uint64_t array_stripe = 0;   ///< that is read before a part of it is written; 0: as `stripe`
    std::uint64_t stripes = 1;        ///< targets of a file
    std::uint64_t request = 1 << 20;  ///< bytes of the largest request to a target
    std::uint64_t in_flight = 8;      ///< requests of one rank at a time
    double call = 0;                  ///< s of a rank's processor for a read or write call
    double seek = 0;
    double seek_served = 0;                      ///< s of a seek that is served, one after another for each file
    double client = unlimited;                   ///< bytes/s of a node
    double routers = unlimited;                  ///< bytes/s of all nodes together
    double cache = 0;                            ///< bytes of write-behind of a node
    double copy = unlimited;                     ///< bytes/s at which a rank writes into it
    double read_cache = 0;                       ///< bytes that a node keeps
    std::uint64_t read_ahead = 0;                ///< bytes that it fetches for a read that follows the last one
    std::uint64_t gather = 0;                    ///< bytes of a unit that a rank's writes fill before it is sent
    std::uint64_t aggregators = 0;               ///< of a collective access; 0: as many as stripes
    std::uint64_t collective_buffer = 16 << 20;  ///< bytes of each in a round
    double collective_rank = 0;                  ///< s of a round for each rank that takes part
    std::uint64_t servers = 1;
    double server_link = unlimited;    ///< bytes/s of each, each way
    double server_request = 0;         ///< s of a server for each request, before its link is free again
    std::uint64_t server_at_once = 1;  ///< requests that a server moves at a time, each at the rate of its link
    Targets targets;
    LockRules locks;
    Metadata metadata;
};

/// A parallel machine as the simulator sees it.
struct Machine {
    std::string name;
    Nodes nodes;
    Network network;
    Storage storage;
};

}  // namespace weir::sim
