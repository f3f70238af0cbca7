#include "apps/common/gas/ordered_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/common/gas/vector_code.hpp"
#include "apps/common/grid.hpp"

namespace weir {
namespace {

constexpr Index lane_count = 8;
constexpr std::size_t folds = 3;

/// Largest absolute value, lane by lane.
WEIR_VECTOR_CODE void greatest(double const* values, Index n, double* most) {
    for (Index first = 0; first + lane_count <= n; first += lane_count) {
        for (Index l = 0; l < lane_count; ++l) {
            double const x = __builtin_fabs(values[first + l]);
            most[l] = x > most[l] ? x : most[l];
        }
    }
}

/// Adds each value's parts on the three grids, lane by lane.
WEIR_VECTOR_CODE void accumulate(double const* values, Index n, double const* grids, double* sums) {
    double const g0 = grids[0];
    double const g1 = grids[1];
    double const g2 = grids[2];
    for (Index first = 0; first + lane_count <= n; first += lane_count) {
        for (Index l = 0; l < lane_count; ++l) {
            double const x = values[first + l];
            double const q0 = (x + g0) - g0;
            double const r0 = x - q0;
            double const q1 = (r0 + g1) - g1;
            double const q2 = ((r0 - q1) + g2) - g2;
            sums[l] += q0;
            sums[lane_count + l] += q1;
            sums[2 * lane_count + l] += q2;
        }
    }
}

/// The values that do not fill all lane_count, padded with zeros.
std::array<double, lane_count> rest_of(std::span<double const> values) {
    std::array<double, lane_count> rest{};
    auto const whole = values.size() / lane_count * lane_count;
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(whole), values.end(), rest.begin());
    return rest;
}

/// Powers of two (times 1.5, so that values of both signs stay in one binade) whose last place is the grid spacing.
std::array<double, folds> grids_for(double most, double count) {
    std::array<double, folds> grids{};
    auto const room = static_cast<int>(std::ceil(std::log2(count))) + 2;
    auto exponent = std::ilogb(most) + 1 + room;
    for (auto& grid : grids) {
        grid = std::ldexp(1.5, exponent);
        exponent += room - 52;
    }
    return grids;
}

}  // namespace

double ordered_sum(Communicator const& comm, std::span<double const> values, double count_bound) {
    auto const n = static_cast<Index>(values.size());
    auto const rest = rest_of(values);
    std::array<double, lane_count> lane_most{};
    greatest(values.data(), n, lane_most.data());
    greatest(rest.data(), lane_count, lane_most.data());
    auto const most = comm.max(*std::max_element(lane_most.begin(), lane_most.end()));
    if (most == 0 || !std::isfinite(most)) {
        return most;
    }
    auto const grids = grids_for(most, count_bound);
    std::array<double, folds * lane_count> sums{};
    accumulate(values.data(), n, grids.data(), sums.data());
    accumulate(rest.data(), lane_count, grids.data(), sums.data());
    std::array<double, folds> totals{};
    for (std::size_t f = 0; f < folds; ++f) {
        for (std::size_t l = 0; l < lane_count; ++l) {
            totals[f] += sums[f * lane_count + l];
        }
    }
    if (comm.size() > 1) {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, totals.data(), folds, MPI_DOUBLE, MPI_SUM, comm.handle()),
                  "sums of all ranks cannot be formed");
    }
    return (totals[2] + totals[1]) + totals[0];
}

}  // namespace weir
