#pragma once

#include <cstddef>
#include <vector>

#include "bench/network/message_buffer.hpp"
#include "bench/network/message_type.hpp"
#include "bench/network/rings_order.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"

namespace weir {

/// How HPCC measures rings of one message size.
struct RingMeasurement {
    std::uint64_t bytes = 0;
    std::uint64_t random_rings = 0;
    std::uint64_t repeats = 1;
    std::uint64_t calls = 1;  ///< at least; more if they do not take 10 us
    std::uint64_t seed = 1;
    SentMemory sent = SentMemory::written;
};

/// The time of each ring in seconds, the natural one first. In a ring each rank sends a message to both neighbours and
/// receives one of each; first by two MPI_Sendrecv, then by MPI_Irecv, MPI_Isend and MPI_Waitall. A rank's time is that
/// of the faster way / 2, so that it is of one message; a ring's is that of its slowest rank, in the fastest repeat.
/// Source: HPCC 1.5.0, latency and bandwidth benchmark.
class RingExchange {
  public:
    /// What HPCC times takes at least so long: more calls if need be.
    static constexpr double least_s = 10e-6;

    /// Local. Throws std::bad_alloc if there is no memory for four messages.
    RingExchange(Communicator const&, Clock const&, RingMeasurement const&);

    /// Collective. Errors of MPI are kept in the communicator; a stop request is thrown on every rank.
    std::vector<double> times_s();

  private:
    double time_s(RingNeighbours const&);
    void send_and_receive(RingNeighbours const&);
    void exchange_at_once(RingNeighbours const&);
    template <class Exchange>
    double mean_s(Exchange exchange) const;
    void check(int status) const { ranks_.note(status, "ranks cannot exchange messages"); }

    Communicator ranks_;
    Clock const& clock_;
    RingMeasurement how_;
    std::uint64_t calls_;
    MessageType message_;
    struct RingBuffers {
        MessageBuffer sent;
        MessageBuffer received;
    };
    RingBuffers left_;
    RingBuffers right_;
};

}  // namespace weir
