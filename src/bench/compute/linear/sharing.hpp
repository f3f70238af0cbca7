#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "comm/communicator.hpp"

namespace weir {

/// Who works in a test of a single process: all ranks at once, or one while the others sleep (HPCC's Star and Single).
enum class Sharing { star, single };
constexpr std::array<std::string_view, 2> enum_names(Sharing) { return {"star", "single"}; }

/// The same beside a test of all ranks together.
enum class Scope { global, star, single };
constexpr std::array<std::string_view, 3> enum_names(Scope) { return {"global", "star", "single"}; }
constexpr Sharing sharing_of(Scope scope) { return scope == Scope::single ? Sharing::single : Sharing::star; }

/// Whether this rank works. HPCC draws the single one at random; here it is the first. Local.
bool takes_part(Communicator const&, Sharing);

/// All start together; who does not work gives its core to the one that does. Collective.
void wait_for_turn(Communicator const&, Sharing);

/// Rates of those that worked: mean, least and greatest. Collective.
struct WorkerRates {
    double mean = 0;
    double least = 0;
    double greatest = 0;
    std::uint64_t workers = 0;
};
WorkerRates rates_of_workers(Communicator const&, bool works, double rate);

}  // namespace weir
