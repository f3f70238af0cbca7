#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace weir::sim {

/// What a rank's time goes into.
enum class Doing { open, create, close, read, write, seek, sync, rename, remove, message, barrier, compute, count };
constexpr std::array<std::string_view, 12> enum_names(Doing) {
    return {"open", "create", "close",  "read",    "write",   "seek",
            "sync", "rename", "remove", "message", "barrier", "compute"};
}

/// The operations of one kind, of all ranks.
struct Tally {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    double total_s = 0;
    double longest_s = 0;

    void note(double took_s, std::uint64_t moved = 0, std::uint64_t operations = 1) {
        count += operations;
        bytes += moved;
        total_s += took_s;
        longest_s = std::max(longest_s, took_s);
    }
};

using Tallies = std::array<Tally, static_cast<std::size_t>(Doing::count)>;

}  // namespace weir::sim
