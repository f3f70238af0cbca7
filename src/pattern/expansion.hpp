#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "pattern/pattern.hpp"

namespace weir {

/// The kinds of single actions of a rank: storage requests, and what it does in between.
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
    std::uint64_t step = 0;  ///< from 0 in each phase, in file order; those in repeats count, repeats do not
    Action action{};
    std::string_view file{};    ///< its name; empty if it has none
    std::uint64_t offset = 0;   ///< for read, write and seek
    std::uint64_t length = 0;   ///< for read, write, preallocate and messages
    double time_s = 0;          ///< for compute
    OpenMode mode{};            ///< for open
    Rank peer{};                ///< for messages: the other rank, or the root
    std::string_view target{};  ///< for rename: the new name
};

/// Visits all actions of one rank, in order. A request of many pieces is visited piece by piece, in file order. Time
/// limits and pace have no effect. Throws Error (usage) as list_io_pieces() does.
void expand(Pattern const&, Rank, std::function<void(Deed const&)> const& visit);

/// The columns of expansion_csv(), as a line.
inline constexpr std::string_view expansion_head = "rank,phase,step,op,file,offset,length,time_s,mode,peer,target\n";

/// The same as CSV (RFC 4180, but with line feeds) in blocks of many lines: write(text). Fields that do not apply are
/// empty.
void expansion_csv(Pattern const&, Rank, std::function<void(std::string_view)> const& write);

}  // namespace weir
