#include "sim/simulation_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "lowering/grouped.hpp"
#include "lowering/lowering.hpp"
#include "pattern/pattern_json.hpp"

namespace weir::sim {
namespace {

/// One table of the model. Numbers that are missing or null stay as they are.
class Table {
  public:
    Table(Json const& json, std::string where, std::initializer_list<std::string_view> keys)
        : object_(json, where, keys), where_(std::move(where)) {}

    void number(std::string_view key, double& value, bool positive = false) const {
        if (has(key)) {
            value = object_.number(key);
            refuse(positive ? value > 0 : value >= 0, key, positive ? "it must be above 0" : "it must not be negative");
        }
    }
    void count(std::string_view key, std::uint64_t& value) const {
        if (has(key)) {
            value = object_.count(key);
            refuse(value > 0, key, "it must be above 0");
        }
    }
    /// Pairs of bytes and seconds, whose bytes rise.
    void curve(std::string_view key, Curve& value) const {
        if (!has(key)) {
            return;
        }
        value.points.clear();
        for (auto const& point : at(key)) {
            bool const is_point = point.is_array() && point.size() == 2 && point[0].is_number() && point[1].is_number();
            refuse(is_point, key, "a point is bytes and seconds");
            auto const bytes = point[0].get<double>();
            auto const seconds = point[1].get<double>();
            bool const rises = value.empty() ? bytes >= 0 : bytes > value.points.back().first;
            refuse(rises && seconds >= 0, key, "bytes must rise, and no time be negative");
            value.points.emplace_back(bytes, seconds);
        }
    }
    void room(std::string_view key, std::uint64_t& value) const { value = has(key) ? object_.count(key) : value; }
    [[nodiscard]] bool has(std::string_view key) const { return object_.has(key) && !object_.at(key).is_null(); }
    [[nodiscard]] Json const& at(std::string_view key) const { return object_.at(key); }
    [[nodiscard]] std::string text(std::string_view key) const { return object_.text(key); }

  private:
    void refuse(bool ok, std::string_view key, std::string reason) const {
        validate(ok, fmt::format("{}.{} is impossible", where_, key), std::move(reason), "Correct the machine model.");
    }

    StrictObject object_;
    std::string where_;
};

Nodes nodes_from(Json const& json) {
    Table const table(json, "nodes",
                      {"count", "ranks", "processors", "memory_bytes", "copy_bytes_per_s", "copy_together_bytes_per_s",
                       "flops_flop_per_s", "flops", "stream_bytes_per_s", "copies_points", "combines_points"});
    Nodes nodes;
    table.count("count", nodes.count);
    table.count("ranks", nodes.ranks);
    table.count("processors", nodes.processors);
    table.number("copy_bytes_per_s", nodes.copy, true);
    nodes.copy_together = nodes.copy * static_cast<double>(nodes.ranks);
    table.number("copy_together_bytes_per_s", nodes.copy_together, true);
    return nodes;
}

Network network_from(Json const& json, Nodes const& nodes) {
    Table const table(json, "network",
                      {"topology", "latency_s", "overhead_s", "link_bytes_per_s", "bandwidth_bytes_per_s",
                       "bisection_bytes_per_s", "latency_within_s", "bandwidth_within_bytes_per_s", "one_within_points",
                       "both_within_points", "further_within_points", "fresh_within_points", "rooted_within_s"});
    Network network;
    table.number("latency_s", network.latency);
    table.number("overhead_s", network.overhead);
    table.number("link_bytes_per_s", network.link, true);
    network.bandwidth = network.link;
    table.number("bandwidth_bytes_per_s", network.bandwidth, true);
    table.number("bisection_bytes_per_s", network.bisection, true);
    network.latency_within = network.latency;
    table.number("latency_within_s", network.latency_within);
    network.bandwidth_within = nodes.copy;
    table.number("bandwidth_within_bytes_per_s", network.bandwidth_within, true);
    table.curve("one_within_points", network.one_within);
    network.both_within = network.one_within;
    table.curve("both_within_points", network.both_within);
    table.curve("further_within_points", network.further_within);
    table.curve("fresh_within_points", network.fresh_within);
    return network;
}

Targets targets_from(Json const& json) {
    Table const table(json, "storage.targets",
                      {"count", "read_bytes_per_s", "write_bytes_per_s", "request_s", "request_read_s", "positioning_s",
                       "partial_stripe", "cache_bytes", "drain", "read_cache_bytes"});
    Targets targets;
    table.count("count", targets.count);
    table.number("read_bytes_per_s", targets.read, true);
    table.number("write_bytes_per_s", targets.write, true);
    table.number("request_s", targets.request);
    targets.request_read = targets.request;
    table.number("request_read_s", targets.request_read);
    table.number("positioning_s", targets.positioning);
    table.number("cache_bytes", targets.cache);
    table.number("read_cache_bytes", targets.read_cache);
    targets.drains_at_sync = table.has("drain") && table.text("drain") == "at sync";
    targets.reads_partial_stripes = table.has("partial_stripe") && table.text("partial_stripe") == "read-modify-write";
    return targets;
}

LockRules locks_from(Json const& json) {
    Table const table(json, "storage.locks", {"unit", "of", "held", "transfer_s", "waiter_s", "waiter_mib_s"});
    LockRules locks;
    table.number("transfer_s", locks.transfer);
    table.number("waiter_s", locks.waiter);
    table.number("waiter_mib_s", locks.waiter_byte);
    locks.waiter_byte /= 1 << 20;
    locks.of_ranks = table.has("of") && table.text("of") == "rank";
    locks.of_calls = table.has("held") && table.text("held") == "call";
    bool const of_files = table.has("unit") && !table.at("unit").is_number() && table.text("unit") == "file";
    validate(!locks.of_calls || of_files, "storage.locks.held is impossible",
             "only a lock on a whole file is held for a call", "Write unit = \"file\", or held = \"request\".");
    if (!table.has("unit")) {
        return locks;
    }
    if (table.at("unit").is_number()) {
        locks.unit = LockUnit::bytes;
        table.count("unit", locks.bytes);
        return locks;
    }
    auto const unit = table.text("unit");
    locks.unit = unit == "file"     ? LockUnit::file
                 : unit == "target" ? LockUnit::target
                 : unit == "stripe" ? LockUnit::bytes
                                    : LockUnit::none;
    return locks;
}

Metadata metadata_from(Json const& json) {
    Table const table(json, "storage.metadata",
                      {"servers", "at_once", "open_s", "create_s", "close_s", "remove_s", "sync_s", "rename_s",
                       "freed_bytes_per_s", "base_s", "collective"});
    Metadata metadata;
    table.count("servers", metadata.servers);
    table.count("at_once", metadata.at_once);
    table.number("base_s", metadata.base);
    table.number("open_s", metadata.open);
    metadata.create = metadata.open;
    table.number("create_s", metadata.create);
    table.number("close_s", metadata.close);
    metadata.remove = metadata.rename = metadata.create;
    table.number("remove_s", metadata.remove);
    table.number("rename_s", metadata.rename);
    table.number("freed_bytes_per_s", metadata.freed, true);
    table.number("sync_s", metadata.sync);
    if (table.has("collective")) {
        metadata.collective = from_text<CollectiveOpen>(table.text("collective"), "collective");
    }
    return metadata;
}

Storage storage_from(Json const& json, Network const& network) {
    Table const table(json, "storage",
                      {"file_system",
                       "stripe_bytes",
                       "stripes",
                       "most_stripes",
                       "request_bytes",
                       "in_flight",
                       "call_s",
                       "seek_s",
                       "seek_served_s",
                       "client_bytes_per_s",
                       "routers_bytes_per_s",
                       "cache_bytes",
                       "copy_bytes_per_s",
                       "read_cache_bytes",
                       "aggregators",
                       "collective_buffer_bytes",
                       "collective_rank_s",
                       "servers",
                       "targets",
                       "locks",
                       "metadata",
                       "gather_bytes",
                       "read_ahead_bytes"});
    Storage storage;
    table.count("stripe_bytes", storage.stripe);
    table.count("stripes", storage.stripes);
    storage.request = storage.stripe;
    table.count("request_bytes", storage.request);
    table.count("in_flight", storage.in_flight);
    table.number("call_s", storage.call);
    table.number("seek_s", storage.seek);
    table.number("seek_served_s", storage.seek_served);
    storage.client = network.link;
    table.number("client_bytes_per_s", storage.client, true);
    table.number("routers_bytes_per_s", storage.routers, true);
    table.number("cache_bytes", storage.cache);
    table.number("copy_bytes_per_s", storage.copy, true);
    table.number("read_cache_bytes", storage.read_cache);
    table.room("gather_bytes", storage.gather);
    table.room("read_ahead_bytes", storage.read_ahead);
    table.count("aggregators", storage.aggregators);
    table.count("collective_buffer_bytes", storage.collective_buffer);
    table.number("collective_rank_s", storage.collective_rank);
    if (table.has("servers")) {
        Table const servers(table.at("servers"), "storage.servers",
                            {"count", "link_bytes_per_s", "request_s", "at_once"});
        servers.count("count", storage.servers);
        servers.number("link_bytes_per_s", storage.server_link, true);
        servers.number("request_s", storage.server_request);
        servers.count("at_once", storage.server_at_once);
    }
    storage.targets = table.has("targets") ? targets_from(table.at("targets")) : Targets{};
    storage.locks = table.has("locks") ? locks_from(table.at("locks")) : LockRules{};
    storage.metadata = table.has("metadata") ? metadata_from(table.at("metadata")) : Metadata{};
    return storage;
}

std::string method_of(StrictObject const& asked) { return asked.has("method") ? asked.text("method") : "auto"; }

bool drops_caches(StrictObject const& asked) {
    auto const cache = asked.has("cache") ? asked.text("cache") : "keep";
    validate(cache == "keep" || cache == "drop", fmt::format("there is no cache '{}'", cache), "",
             "Choose one of keep, drop.");
    return cache == "drop";
}

Pattern as_made(Pattern pattern, StrictObject const& asked, Machine const& machine, Use const& use) {
    Grouping grouping;
    grouping.read = asked.count_or("read_group", 1);
    grouping.write = asked.count_or("write_group", 1);
    grouping.requests = GroupRequests::combined;
    if (grouping.read > 1 || grouping.write > 1) {
        return grouped(std::move(pattern), grouping);
    }
    auto const method = method_of(asked);
    if (method == "auto" || method == "mpi-io" || method == "independent") {
        return pattern;
    }
    validate(method == "two-phase" || method == "rank0", fmt::format("there is no method '{}'", method), "",
             "Choose one of auto, mpi-io, independent, two-phase, rank0.");
    auto const each = use.ranks_per_node == 0 ? machine.nodes.ranks : use.ranks_per_node;
    auto const nodes = (pattern.ranks + each - 1) / each;
    auto const stripes = use.stripes == 0 ? machine.storage.stripes : use.stripes;
    auto const chosen = asked.count_or("aggregators", 0);
    Lowering how;
    how.choice.write = how.choice.read = {
        method == "rank0" ? array::Method::gather : array::Method::two_phase,
        method == "rank0" ? 1 : std::min(pattern.ranks, chosen == 0 ? std::min(nodes, stripes) : chosen)};
    how.choice.window = std::uint64_t{1} << 40U;
    return lowered(pattern, how);
}

Json operations_of(Tallies const& tallies) {
    auto list = Json::array();
    for (std::size_t i = 0; i < tallies.size(); ++i) {
        auto const& one = tallies[i];
        if (one.count > 0) {
            list.push_back({{"op", to_text(static_cast<Doing>(i))},
                            {"count", one.count},
                            {"bytes", one.bytes},
                            {"total_s", one.total_s},
                            {"longest_s", one.longest_s}});
        }
    }
    return list;
}

}  // namespace

Machine machine_from_json(Json const& json) {
    Table const table(json, "machine", {"name", "title", "nodes", "network", "storage"});
    Machine machine;
    machine.name = table.text("name");
    machine.nodes = nodes_from(table.at("nodes"));
    machine.network = network_from(table.at("network"), machine.nodes);
    machine.storage = storage_from(table.at("storage"), machine.network);
    return machine;
}

Json simulated(Json const& json, std::filesystem::path const& folder) {
    StrictObject const asked(json, "simulation",
                             {"machine", "pattern", "method", "aggregators", "ranks_per_node", "stripes",
                              "stripe_bytes", "read_group", "write_group", "cache"});
    auto const machine = machine_from_json(asked.at("machine"));
    Use const use{asked.count_or("ranks_per_node", 0), asked.count_or("stripes", 0),
                  asked.count_or("stripe_bytes", 0),   asked.count_or("aggregators", 0),
                  method_of(asked) != "independent",   drops_caches(asked)};
    auto const pattern = as_made(pattern_from_json(asked.at("pattern"), folder), asked, machine, use);
    auto const outcome = simulate(machine, pattern, use);
    auto phases = Json::array();
    for (auto const& phase : outcome.phases) {
        phases.push_back({{"name", phase.name},
                          {"timed", phase.timed},
                          {"time_s", phase.time_s},
                          {"bytes_written", phase.bytes_written},
                          {"bytes_read", phase.bytes_read},
                          {"bytes_found", std::max<std::int64_t>(phase.bytes_found, 0)},
                          {"operations", operations_of(phase.operations)}});
    }
    auto resources = Json::array();
    for (auto const& use_of_one : outcome.resources) {
        resources.push_back({{"name", use_of_one.name},
                             {"count", use_of_one.count},
                             {"busy_s", use_of_one.busy_s},
                             {"busiest_s", use_of_one.busiest_s},
                             {"share", outcome.time_s > 0 ? use_of_one.busiest_s / outcome.time_s : 0}});
    }
    auto const busiest = std::max_element(outcome.resources.begin(), outcome.resources.end(),
                                          [](auto const& a, auto const& b) { return a.busiest_s < b.busiest_s; });
    return {{"kind", "simulation"},
            {"machine", machine.name},
            {"ranks", pattern.ranks},
            {"nodes", outcome.nodes},
            {"events", outcome.events},
            {"time_s", outcome.time_s},
            {"phases", phases},
            {"resources", resources},
            {"bottleneck", busiest == outcome.resources.end() ? Json(nullptr) : Json(busiest->name)}};
}

}  // namespace weir::sim
