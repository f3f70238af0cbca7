#pragma once

#include <cstdint>
#include <vector>

#include "sim/agenda.hpp"
#include "sim/flows.hpp"
#include "sim/machine.hpp"

namespace weir::sim {

/// A message under way.
struct Message {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t bytes = 0;
    std::uint32_t exchange = 0;  ///< that it belongs to
};

/// Messages between ranks, as flows through their nodes' links and the bisection; within a node through its memory, or,
/// where the machine tells how long they take there, as work of the receiver on the node's processors.
class MessageNetwork {
  public:
    MessageNetwork(Machine const& machine, std::uint64_t nodes, std::uint64_t ranks_per_node, Agenda& agenda);

    /// Sends one at that time: its flow begins after overhead and latency.
    void send(double now, Message const& message);

    /// That event's message is at its links. `both`: its sender receives in that exchange too.
    void begin(double now, std::uint32_t message, bool both);
    [[nodiscard]] Message const& at(std::uint32_t message) const { return messages_[message]; }

    [[nodiscard]] bool changes_at(double time) const { return flows_.changes_at(time); }
    [[nodiscard]] double next() { return flows_.next(); }

    /// The next message whose flow ends.
    Message take();

    [[nodiscard]] std::uint64_t node_of(std::uint32_t rank) const { return rank / ranks_per_node_; }

    /// Seconds from sending a message of that many bytes until its receiver has it, if it has the links for itself.
    [[nodiscard]] double alone(bool within, double bytes) const;

    /// Of these, how long its sender waits before it sends another.
    [[nodiscard]] double gap(bool within, double bytes) const;

    /// Seconds that each link of a kind was in use.
    [[nodiscard]] std::vector<double> node_links() const { return busy_of(first_link_, 2 * nodes_); }
    [[nodiscard]] std::vector<double> bisection() const { return busy_of(halves_, 2); }
    [[nodiscard]] std::vector<double> memories() const { return busy_of(memories_, nodes_); }

  private:
    [[nodiscard]] bool told(bool within) const { return within && !rules_.one_within.empty(); }
    void begin_told(double now, std::uint32_t id, bool both);
    [[nodiscard]] std::vector<double> busy_of(Flows::Link first, std::uint64_t count) const;

    Network rules_;
    std::uint64_t nodes_;
    std::uint64_t ranks_per_node_;
    Agenda& agenda_;
    Flows flows_;
    Flows::Link first_link_ = 0;  ///< out and in of each node
    Flows::Link halves_ = 0;
    Flows::Link memories_ = 0;
    Flows::Link receivers_ = 0;             ///< each rank, if the machine tells times within a node
    std::vector<std::uint32_t> receiving_;  ///< messages within its node that are under way to each rank
    std::vector<Message> messages_;
    std::vector<std::uint32_t> unused_;
};

}  // namespace weir::sim
