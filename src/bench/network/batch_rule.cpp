#include "bench/network/batch_rule.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/latency.hpp"

namespace weir {
namespace {

constexpr std::uint64_t fewest = 8;
constexpr std::uint64_t first_look = 16;  // of 8, no two bound an interval of the confidence that each look needs
constexpr double error_of_all_looks = 0.05;

}  // namespace

std::uint64_t interval_rank(std::uint64_t count, double error) {
    auto const n = static_cast<double>(count);
    double below = 0;  // P(fewer than `rank` of the values lie on one side of the median), by the binomial distribution
    for (std::uint64_t rank = 0; rank <= count / 2; ++rank) {
        auto const k = static_cast<double>(rank);
        below += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
        if (2 * below > error) {
            return rank;
        }
    }
    return count / 2;
}

std::uint64_t BatchRule::calls(std::uint64_t bytes, double call_s) const {
    constexpr double most_calls = 1000;
    constexpr double volume = 40.0 * 1024 * 1024;
    auto const of_imb = std::min(most_calls, bytes == 0 ? most_calls : volume / static_cast<double>(bytes));
    constexpr double short_s = 1e-3;
    constexpr double least_calls = 10;
    auto const in_time = budget_s / fewest / std::max(call_s, 1e-9);
    auto const of_short_batch = std::max(least_calls, short_s / std::max(call_s, 1e-9));
    return static_cast<std::uint64_t>(std::max(1.0, std::min({of_imb, of_short_batch, in_time})));
}

double BatchRule::width(std::span<double const> batches, double error) {
    auto const rank = interval_rank(batches.size(), error);
    if (rank == 0) {
        return std::numeric_limits<double>::infinity();
    }
    std::vector<double> sorted(batches.begin(), batches.end());
    std::ranges::sort(sorted);
    auto const middle = median(sorted);
    return middle > 0 ? (sorted[sorted.size() - rank] - sorted[rank - 1]) / middle : 0;
}

bool BatchRule::enough(std::span<double const> batches, double elapsed_s) const {
    if (elapsed_s >= budget_s || batches.size() >= most) {
        return true;
    }
    if (batches.size() < first_look || !std::has_single_bit(batches.size())) {
        return false;
    }
    auto const looks = static_cast<double>(std::bit_width(most / first_look));
    return width(batches, error_of_all_looks / looks) <= precision;
}

}  // namespace weir
