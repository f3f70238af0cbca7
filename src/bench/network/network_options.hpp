#pragma once

#include <string>

#include "bench/network/batch_rule.hpp"
#include "bench/network/buffers.hpp"
#include "bench/network/call_loop.hpp"
#include "bench/repetitions.hpp"

namespace weir {

/// The clock of durations: the processor's counter if the kernel trusts it, or MPI_Wtime, as IMB.
enum class CallClock { fast, mpi };
constexpr std::array<std::string_view, 2> enum_names(CallClock) { return {"fast", "mpi"}; }

/// The options of a case of the benchmark `network`.
struct NetworkOptions {
    void declare(OptionSet&);

    /// The function by its name. Throws Error (usage) for options that contradict each other or the number of ranks.
    [[nodiscard]] NetworkFunction const& checked_function(std::uint64_t ranks) const;

    /// Ranks that take part: all, or the first `active` ones.
    [[nodiscard]] std::uint64_t active_of(std::uint64_t ranks) const { return active == 0 ? ranks : active; }
    /// Ranks of a group.
    [[nodiscard]] std::uint64_t group_of(std::uint64_t ranks) const { return group == 0 ? active_of(ranks) : group; }

    /// Bytes that a function's buffers must exceed together not to stay in a cache; 0: they may.
    [[nodiscard]] std::uint64_t cache_to_exceed() const;

    std::string function = "PingPong";
    Bytes bytes{8};
    CallChoices choices;
    std::uint64_t active = 0;
    std::uint64_t group = 0;
    std::uint64_t partner = 1;
    BufferCaching cache = BufferCaching::on;
    Bytes cache_bytes{};
    BufferMemory memory = BufferMemory::pages;
    Content sent = Content::kept;
    Start start = Start::imb;
    CallClock clock = CallClock::fast;
    std::uint64_t calls = 0;
    BatchRule rule;
    Seconds budget{0.05};
    bool check = false;
    Repetitions repetitions;
};

}  // namespace weir
