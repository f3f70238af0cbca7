#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/network/message_buffer.hpp"
#include "bench/network/message_type.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"

namespace weir {

/// A message there and back between two ranks of a communicator, as HPCC's and IMB's PingPong.
class PairPingPong {
  public:
    /// Local. Throws std::bad_alloc if there is no memory for two messages.
    PairPingPong(Communicator const& ranks, Clock const&, std::uint64_t bytes, SentMemory = SentMemory::written);

    /// Half a round trip in seconds, the mean of `calls` after one that is not timed; while the
    /// partner answers. Errors of MPI are kept in the communicator.
    double time_s(std::uint64_t partner, std::uint64_t calls);

    /// The partner's part.
    void answer(std::uint64_t partner, std::uint64_t calls);

  private:
    void send(int to);
    void receive(int from);

    Communicator ranks_;
    Clock const& clock_;
    MessageType message_;
    MessageBuffer sent_;
    MessageBuffer received_;
};

}  // namespace weir
