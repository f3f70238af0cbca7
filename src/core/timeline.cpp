#include "core/timeline.hpp"

namespace weir {

void Timeline::double_interval() {
    for (std::size_t i = 0; i < most_intervals; ++i) {
        bytes_[i] = 2 * i < most_intervals ? bytes_[2 * i] + bytes_[2 * i + 1] : 0;
    }
    interval_s_ *= 2;
}

void Timeline::add(Timeline const& other) {
    auto finer = other;
    while (interval_s_ < finer.interval_s_) {
        double_interval();
    }
    while (finer.interval_s_ < interval_s_) {
        finer.double_interval();
    }
    for (std::size_t i = 0; i < most_intervals; ++i) {
        bytes_[i] += finer.bytes_[i];
    }
}

std::vector<std::uint64_t> Timeline::bytes() const {
    auto used = most_intervals;
    while (used > 0 && bytes_[used - 1] == 0) {
        --used;
    }
    return {bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(used)};
}

}  // namespace weir
