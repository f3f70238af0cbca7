#pragma once

#include <cstdint>

#include "sim/event_queue.hpp"

namespace weir::sim {

/// What happens at a time; `who` is a rank or a request, by the kind.
struct Event {
    enum class Kind : std::uint32_t {
        rank,      ///< a rank goes on
        routed,    ///< a request is at the routers
        arrived,   ///< a request is at its server
        locked,    ///< a write has its lock
        read,      ///< a target has read a request
        returned,  ///< data that were read are at their node
        done,      ///< a request is complete
        round,     ///< aggregators of a collective access have what they move
        message    ///< a message is at its links: its flow begins
    };
    Kind kind;
    std::uint32_t who;
};

using Agenda = EventQueue<Event>;

}  // namespace weir::sim
