#pragma once

#include <cstdint>
#include <map>

#include "apps/cloud/grid.hpp"
#include "comm/communicator.hpp"

namespace weir::cloud {

/// What tables 1 to 8 of the paper count, and syncs, of which the paper knows none.
enum class Call { open, close, read, write, seek, communication, sync };
constexpr std::array<std::string_view, 7> enum_names(Call) {
    return {"open", "close", "read", "write", "seek", "communication", "sync"};
}

/// Calls of I/O of one rank, or of all.
struct IoLog {
    struct Calls {
        std::uint64_t count = 0;
        double time_s = 0;  ///< summed over calls, and over ranks
    };

    /// A seek is counted where the paper's routine would make one (the file pointer stands elsewhere, and at the end of
    /// an array that many ranks share); it takes no time here, since each request carries its offset. Communication:
    /// MPI messages with data sent or received, and a broadcast on each rank; its time is that of packing, sending,
    /// receiving and waiting for other ranks. That ranks agree on whether anything has failed is not counted. The
    /// time of syncs takes along the rename of the restart file.
    std::array<Calls, 7> calls{};

    /// Of the time of communication, that of waiting: for messages on their way and for other ranks, among them those
    /// that write.
    double waiting_s = 0;

    /// Requests by their bytes.
    std::map<std::uint64_t, std::uint64_t> read_sizes, write_sizes;

    [[nodiscard]] Calls& operator[](Call c) { return calls[static_cast<std::size_t>(c)]; }
    [[nodiscard]] Calls const& operator[](Call c) const { return calls[static_cast<std::size_t>(c)]; }
    [[nodiscard]] std::uint64_t bytes_read() const;
    [[nodiscard]] std::uint64_t bytes_written() const;

    void add(IoLog const&);
};

/// The logs of all ranks in one, on every rank. Collective.
IoLog sum_over_ranks(IoLog const& mine, Communicator const&);

/// "Communication" as the paper counts it for two-phase I/O: A arrays moved by P ranks, T = px py of which hold the
/// same planes, count P A (P + T - 2), and one for each rank that has read a header. The P - T calls beyond 2 (T - 1)
/// messages a rank and array cannot be told from the paper; nothing is sent for them here.
std::uint64_t communication_of_the_paper(Triple const& ranks, std::uint64_t arrays, std::uint64_t headers_read);

}  // namespace weir::cloud
