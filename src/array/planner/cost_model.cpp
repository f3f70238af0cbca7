#include "array/planner/cost_model.hpp"

#include <algorithm>

namespace weir::array {
namespace {

double number(std::uint64_t count) { return static_cast<double>(std::max<std::uint64_t>(count, 1)); }

/// Of this many processes, how many run at once on the machine.
double at_once(PlanFacts const& facts, std::uint64_t processes) {
    return number(std::min(processes, facts.nodes * facts.cores));
}

/// How many of them transfer to or from the file at once: except on a parallel file system, a node's writes to one file
/// are serialised by its lock.
double streams(PlanFacts const& facts, Use use, std::uint64_t processes) {
    bool const locked = use == Use::write && facts.file_system.storage != Storage::parallel;
    return locked ? number(std::min(processes, facts.nodes)) : at_once(facts, processes);
}

double storage_seconds(PlanFacts const& facts, Use use, std::uint64_t bytes, std::uint64_t processes) {
    auto const& speed = use == Use::write ? facts.profile.write : facts.profile.read;
    auto const rate = std::min(speed.all_bytes_per_s, speed.one_bytes_per_s * streams(facts, use, processes));
    return static_cast<double>(bytes) / rate;
}

double request_seconds(PlanFacts const& facts, Use use, double requests, std::uint64_t processes) {
    auto const& speed = use == Use::write ? facts.profile.write : facts.profile.read;
    return requests / streams(facts, use, processes) * speed.request_s;
}

Cost independent(PlanFacts const& facts, Use use) {
    auto const& load = facts.load(use);
    Cost cost;
    cost.requests = load.runs;
    // The rank with the most requests finishes last.
    auto const requests = std::max(static_cast<double>(load.runs),
                                   static_cast<double>(load.most_runs) * streams(facts, use, facts.ranks));
    cost.requests_s = request_seconds(facts, use, requests, facts.ranks);
    cost.storage_s = storage_seconds(facts, use, load.bytes, facts.ranks);
    cost.seconds = cost.storage_s + cost.requests_s;
    return cost;
}

/// The fraction of the bytes that goes to another node.
double far_share(PlanFacts const& facts, Strategy const& strategy, Sizes const& sizes) {
    bool const within_nodes = strategy.method == Method::grouped && sizes.group * facts.nodes <= facts.ranks;
    return sizes.messages ? 1 : within_nodes ? 0 : 1 - 1 / number(facts.nodes);
}

}  // namespace

Cost cost_of(PlanFacts const& facts, Use use, Strategy const& strategy, Sizes const& sizes) {
    if (strategy.method == Method::independent) {
        return independent(facts, use);
    }
    auto const& load = facts.load(use);
    auto const& profile = facts.profile;
    auto const moved = static_cast<double>(load.bytes);
    auto const far = far_share(facts, strategy, sizes);
    auto const windows = number(facts.bytes / sizes.window);
    Cost cost;

    // Sent data is copied on both sides.
    auto const copies = moved * (1 + far) / (profile.copy_bytes_per_s * at_once(facts, facts.ranks));
    auto const network =
        moved * far / (profile.network_bytes_per_s * number(std::min(strategy.aggregators, facts.nodes)));
    // A rank sends a message to each window in which it has a run.
    auto const messages = far * number(facts.ranks) * std::min(windows, static_cast<double>(load.most_runs));
    cost.exchange_s = std::max(copies, network) + messages / at_once(facts, strategy.aggregators) * profile.message_s;

    auto const longest = strategy.method == Method::grouped && facts.group_run_bytes != 0
                             ? std::min(facts.group_run_bytes, sizes.window)
                             : sizes.window;
    auto const piece = std::max<std::uint64_t>(1, longest);
    cost.requests = std::max<std::uint64_t>(1, facts.bytes / piece + (facts.bytes % piece != 0 ? 1 : 0));
    cost.requests_s = request_seconds(facts, use, number(cost.requests), strategy.aggregators);
    cost.storage_s = storage_seconds(facts, use, facts.bytes, strategy.aggregators);
    // The exchange of one window overlaps the write of another.
    cost.seconds = std::max(cost.exchange_s, cost.storage_s) + cost.requests_s;
    return cost;
}

}  // namespace weir::array
