#include "sim/message_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::sim {

MessageNetwork::MessageNetwork(Machine const& machine, std::uint64_t nodes, std::uint64_t ranks_per_node,
                               Agenda& agenda)
    : rules_(machine.network), nodes_(nodes), ranks_per_node_(ranks_per_node), agenda_(agenda) {
    for (std::uint64_t i = 0; i < 2 * nodes; ++i) {
        flows_.add_link(rules_.link);
    }
    halves_ = flows_.add_link(rules_.bisection);
    flows_.add_link(rules_.bisection);
    memories_ = halves_ + 2;
    auto const processors = machine.nodes.processors == 0 ? ranks_per_node : machine.nodes.processors;
    for (std::uint64_t i = 0; i < nodes; ++i) {
        flows_.add_link(told(true) ? static_cast<double>(processors) : machine.nodes.copy_together);
    }
    receivers_ = memories_ + static_cast<Flows::Link>(nodes);
    receiving_.resize(told(true) ? nodes * ranks_per_node : 0);
    for (std::size_t i = 0; i < receiving_.size(); ++i) {
        flows_.add_link(1);
    }
}

void MessageNetwork::send(double now, Message const& message) {
    if (unused_.empty()) {
        unused_.push_back(static_cast<std::uint32_t>(messages_.size()));
        messages_.emplace_back();
    }
    auto const id = unused_.back();
    unused_.pop_back();
    messages_[id] = message;
    bool const within = node_of(message.from) == node_of(message.to);
    auto const latency = told(within) ? 0 : within ? rules_.latency_within : rules_.latency;
    agenda_.add(now + latency, {Event::Kind::message, id});
}

void MessageNetwork::begin_told(double now, std::uint32_t id, bool both) {
    auto const& message = messages_[id];
    auto const& first = both ? rules_.both_within : rules_.one_within;
    auto const bytes = static_cast<double>(message.bytes);
    bool const further = receiving_[message.to]++ > 0 && !rules_.further_within.empty();
    auto const seconds = (further ? rules_.further_within : first)(bytes) + rules_.fresh_within(bytes);
    std::array const path{static_cast<Flows::Link>(receivers_ + message.to),
                          static_cast<Flows::Link>(memories_ + node_of(message.to))};
    flows_.begin(now, path, seconds, 1, id);
}

void MessageNetwork::begin(double now, std::uint32_t id, bool both) {
    auto const& message = messages_[id];
    auto const from = node_of(message.from);
    auto const to = node_of(message.to);
    if (told(from == to)) {
        return begin_told(now, id, both);
    }
    auto const bytes = static_cast<double>(message.bytes);
    if (from == to) {
        std::array const path{static_cast<Flows::Link>(memories_ + from)};
        flows_.begin(now, path, bytes, rules_.bandwidth_within, id);
        return;
    }
    std::array<Flows::Link, 3> path{static_cast<Flows::Link>(2 * from), static_cast<Flows::Link>(2 * to + 1), 0};
    std::size_t links = 2;
    bool const lower = from < nodes_ / 2;
    if (lower != (to < nodes_ / 2)) {
        path[links++] = static_cast<Flows::Link>(halves_ + (lower ? 0 : 1));
    }
    flows_.begin(now, std::span(path).first(links), bytes, rules_.bandwidth, id);
}

Message MessageNetwork::take() {
    auto const id = flows_.take();
    unused_.push_back(id);
    auto const& message = messages_[id];
    if (told(node_of(message.from) == node_of(message.to))) {
        --receiving_[message.to];
    }
    return message;
}

double MessageNetwork::alone(bool within, double bytes) const {
    if (told(within)) {
        return 2 * rules_.overhead + rules_.one_within(bytes) + rules_.fresh_within(bytes);
    }
    return within ? 2 * rules_.overhead + rules_.latency_within + bytes / rules_.bandwidth_within
                  : 2 * rules_.overhead + rules_.latency + bytes / std::min(rules_.bandwidth, rules_.link);
}

double MessageNetwork::gap(bool within, double bytes) const {
    if (told(within)) {
        return std::max(rules_.overhead, rules_.one_within(bytes) - rules_.one_within(0));
    }
    auto const speed = within ? rules_.bandwidth_within : std::min(rules_.bandwidth, rules_.link);
    return std::max(rules_.overhead, bytes / speed);
}

std::vector<double> MessageNetwork::busy_of(Flows::Link first, std::uint64_t count) const {
    std::vector<double> seconds;
    seconds.reserve(count);
    for (Flows::Link link = first; link < first + count; ++link) {
        auto const capacity = flows_.capacity(link);
        seconds.push_back(std::isfinite(capacity) ? flows_.passed(link) / capacity : 0);
    }
    return seconds;
}

}  // namespace weir::sim
