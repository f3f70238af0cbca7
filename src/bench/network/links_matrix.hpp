#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "bench/network/links_schedule.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"

namespace weir {

/// Whether the pairs of a round are measured at once, or one after the other while all other ranks wait.
enum class PairsAtOnce { round, one };
constexpr std::array<std::string_view, 2> enum_names(PairsAtOnce) { return {"round", "one"}; }

/// How each pair is measured.
struct LinkMeasurement {
    std::uint64_t bytes = 0;
    std::uint64_t calls = 1;   ///< round trips that are timed together
    std::uint64_t passes = 1;  ///< over all pairs
    PairsAtOnce at_once = PairsAtOnce::round;
};

/// Of one pair over all passes: the median and the quartiles of half a round trip.
struct LinkTime {
    LinkPair pair;
    double median_s = 0;
    double low_s = 0;
    double high_s = 0;
};

/// Measures the pairs of a schedule of the communicator's ranks, pass by pass, so that a disturbance that lasts meets a
/// few passes of many pairs rather than all passes of a few. The same on every rank. Collective; an error or a stop
/// request of any rank is thrown on every rank.
std::vector<LinkTime> measure_links(Communicator const&, Clock const&, LinkSchedule const&, LinkMeasurement const&);

/// Gives all ranks the values that one rank each has, while they are 0 on all others. Collective.
void share_values(Communicator const&, std::vector<double>& values);

/// The median and the quartiles; of an even number the mean of the two in the middle. `values_s` is not empty.
LinkTime link_time(LinkPair, std::vector<double> values_s);

}  // namespace weir
