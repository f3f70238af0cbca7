#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>

#include "comm/communicator.hpp"

namespace weir {

/// What programs do to get their data to storage and back: tables 1 to 8 of Thakur, Gropp, Lusk (1996) count these, but
/// for syncs, of which that paper knows none.
enum class IoCall { open, close, read, write, seek, communication, sync };
constexpr std::array<std::string_view, 7> enum_names(IoCall) {
    return {"open", "close", "read", "write", "seek", "communication", "sync"};
}

/// Calls of I/O of one rank, or of all, by kind: how many, how long, and requests by their size.
struct Tally {
    struct Calls {
        std::uint64_t count = 0;
        double time_s = 0;  ///< summed over calls, and over ranks
    };

    /// A seek is counted where a program with a file pointer would make one (it stands elsewhere); it takes no time,
    /// since each request carries its offset. Communication: MPI messages with data sent or received, and a broadcast
    /// on each rank; its time is that of packing, sending, receiving and waiting for other ranks. That ranks agree on
    /// whether anything has failed is not counted. The time of syncs takes along renames that are to last.
    std::array<Calls, 7> calls{};

    /// Of the time of communication, that of waiting: for messages on their way and for other ranks, among them those
    /// that write.
    double waiting_s = 0;

    /// Requests by their bytes.
    std::map<std::uint64_t, std::uint64_t> read_sizes, write_sizes;

    [[nodiscard]] Calls& operator[](IoCall c) { return calls[static_cast<std::size_t>(c)]; }
    [[nodiscard]] Calls const& operator[](IoCall c) const { return calls[static_cast<std::size_t>(c)]; }
    [[nodiscard]] std::uint64_t bytes_read() const;
    [[nodiscard]] std::uint64_t bytes_written() const;

    void add(Tally const&);
};

/// The tallies of all ranks in one, on every rank. Collective.
Tally sum_over_ranks(Tally const& mine, Communicator const&);

}  // namespace weir
