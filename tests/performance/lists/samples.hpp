#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "performance/measure.hpp"

namespace weir::performance {

/// Of the slowest rank, from a barrier on.
template <class Work>
double slowest(Communicator const& comm, Work work) {
    comm.barrier();
    return comm.max(seconds(work));
}

inline void show(std::string const& what, Median const& m, std::string const& unit) {
    fmt::print("{:58} {:10.4g} [{:.4g}, {:.4g}] {} (n = {})\n", what, m.value, m.low, m.high, unit, m.samples);
}

/// Sample by sample.
inline std::vector<double> ratios(std::vector<double> const& of, std::vector<double> const& to) {
    std::vector<double> all(of.size());
    std::transform(of.begin(), of.end(), to.begin(), all.begin(), std::divides());
    return all;
}

}  // namespace weir::performance
