#include "comm/clock_offset.hpp"

#include <algorithm>
#include <vector>

#include "core/error.hpp"

namespace weir {

double offset_to_other(std::span<ClockReading const> readings) {
    expect(!readings.empty(), "an offset needs a reading");
    auto const best = std::min_element(readings.begin(), readings.end(), [](auto const& a, auto const& b) {
        return a.answered_s - a.asked_s < b.answered_s - b.asked_s;
    });
    return best->other_s - (best->asked_s + best->answered_s) / 2;
}

double exchange_offset(Communicator const& comm, Clock const& clock, std::uint64_t other) {
    constexpr int rounds = 10;
    constexpr int tag = 0;
    auto const peer = static_cast<int>(other);
    double time = 0;
    if (comm.rank() == 0) {
        for (int i = 0; i < rounds; ++i) {
            MPI_Recv(&time, 1, MPI_DOUBLE, peer, tag, comm.handle(), MPI_STATUS_IGNORE);
            time = clock.now_s();
            MPI_Send(&time, 1, MPI_DOUBLE, peer, tag, comm.handle());
        }
        return 0;
    }
    if (comm.rank() != other) {
        return 0;
    }
    std::vector<ClockReading> readings(rounds);
    for (auto& reading : readings) {
        reading.asked_s = clock.now_s();
        MPI_Send(&time, 1, MPI_DOUBLE, 0, tag, comm.handle());
        MPI_Recv(&reading.other_s, 1, MPI_DOUBLE, 0, tag, comm.handle(), MPI_STATUS_IGNORE);
        reading.answered_s = clock.now_s();
    }
    return offset_to_other(readings);
}

double offset_to_root(Communicator const& comm, Clock const& clock) {
    auto const node = comm.node();
    auto const leaders = comm.split(node.is_root() ? 0 : 1);
    double offset = 0;
    if (node.is_root()) {
        for (std::uint64_t other = 1; other < leaders.size(); ++other) {
            offset += exchange_offset(leaders, clock, other);
        }
    }
    return node.all_gather(offset).front();
}

}  // namespace weir
