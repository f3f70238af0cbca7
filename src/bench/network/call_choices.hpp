#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/units.hpp"

namespace weir {

/// The version of the Intel MPI Benchmarks whose definitions hold. They differ in Reduce_scatter (2.3: the message is
/// split among the ranks; 2021: each rank gets one), in the root (2.3: each rank in turn; 2021: rank 0), and in the
/// start of collective calls (2.3: one after the other; 2021: each after a barrier). Sources: IMB 4.0 user guide; PMB
/// 2.2.1; IMB 2021.11.
enum class Imb { v2_3, v2021 };
constexpr std::array<std::string_view, 2> enum_names(Imb) { return {"2.3", "2021"}; }

/// Sizes of the ranks' messages in functions whose name ends in v: all equal; or in proportion to rank + 1, with the
/// same sum.
enum class Counts { equal, ramped };
constexpr std::array<std::string_view, 2> enum_names(Counts) { return {"equal", "ramped"}; }

/// What a receive names: any rank and tag, as IMB's does, or the sender's.
enum class Source { any, specific };
constexpr std::array<std::string_view, 2> enum_names(Source) { return {"any", "specific"}; }

/// How one-sided calls are completed: all ranks in MPI_Win_fence; origin and target by post, start, complete, wait; or
/// the origin alone by MPI_Win_flush, under a shared lock that is held for all calls (passive target).
enum class Synchronisation { fence, pscw, lock };
constexpr std::array<std::string_view, 3> enum_names(Synchronisation) { return {"fence", "pscw", "lock"}; }

/// Choices that change what some functions do.
struct CallChoices {
    Imb imb = Imb::v2021;
    Counts counts = Counts::equal;
    Source source = Source::any;
    Synchronisation synchronisation = Synchronisation::fence;
    std::uint64_t partitions = 8;  ///< of a message in partitioned calls
    std::uint64_t messages = 1;    ///< of PRTT: from rank 0, before one comes back
    Seconds delay{};               ///< of PRTT: between two of them
    Seconds pause{};               ///< of PRTT: before rank 0 receives
    Seconds late{};                ///< of PRTT: before rank 1 receives
};

}  // namespace weir
