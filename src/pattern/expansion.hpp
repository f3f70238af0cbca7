#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "pattern/pattern.hpp"

namespace weir {

/// What a rank does, one thing at a time: what it asks of storage, and what it does between.
enum class Action {
    open,
    preallocate,
    write,
    read,
    sync,
    close,
    compute,
    barrier,
    seek,
    rename,
    remove,
    broadcast,
    send,
    receive,
    wait
};
constexpr std::array<std::string_view, 15> enum_names(Action) {
    return {"open", "preallocate", "write",  "read",      "sync", "close",   "compute", "barrier",
            "seek", "rename",      "remove", "broadcast", "send", "receive", "wait"};
}

/// One action of one rank.
struct Deed {
    Phase const& phase;
    std::uint64_t step = 0;  ///< from 0 in each phase, as they are written; those in repeats count, repeats do not
    Action action{};
    std::string_view file{};    ///< its name; empty where there is none
    std::uint64_t offset = 0;   ///< of read, write and seek
    std::uint64_t length = 0;   ///< of read, write, preallocate and messages
    double time_s = 0;          ///< of compute
    OpenMode mode{};            ///< of open
    Rank peer{};                ///< of messages: the other rank, or the root
    std::string_view target{};  ///< of rename: the name that the file takes
};

/// Visits everything that one rank does, in order. A request of many pieces is visited piece by piece, in the order of
/// the file. Time limits and pace change nothing here. Throws Error (usage) as list_io_pieces() does.
void expand(Pattern const&, Rank, std::function<void(Deed const&)> const& visit);

/// The columns of expansion_csv(), as a line.
inline constexpr std::string_view expansion_head = "rank,phase,step,op,file,offset,length,time_s,mode,peer,target\n";

/// The same as CSV (RFC 4180, but lines end in a line feed) in pieces of many lines: write(text). What does not apply
/// is empty.
void expansion_csv(Pattern const&, Rank, std::function<void(std::string_view)> const& write);

}  // namespace weir
