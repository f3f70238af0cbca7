#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sim/machine.hpp"
#include "sim/striping.hpp"

namespace weir::sim {

/// Which of a file's units of `rules.bytes`, or of a stripe, a request lies in: the one with that number, from 0 and in
/// file order; none if there are not so many.
inline std::optional<std::uint64_t> piece_unit(LockRules const& rules, Striping const& striping, Chunk const& chunk,
                                               std::uint64_t number) {
    auto const unit = rules.bytes == 0 ? striping.stripe : rules.bytes;
    auto within = chunk.object_offset % striping.stripe;
    auto stripe = chunk.stripe;
    std::optional<std::uint64_t> last;
    for (std::uint64_t left = chunk.bytes; left > 0; stripe += striping.stripes) {
        auto const begin = stripe * striping.stripe + within;
        auto const bytes = std::min(left, striping.stripe - within);
        auto const first = last == begin / unit ? begin / unit + 1 : begin / unit;
        auto const end = (begin + bytes - 1) / unit + 1;
        if (first + number < end) {
            return first + number;
        }
        number -= end - first;
        last = end - 1;
        left -= bytes;
        within = 0;
    }
    return std::nullopt;
}

/// The same for all rules.
inline std::optional<std::uint64_t> lock_unit(LockRules const& rules, Striping const& striping, Chunk const& chunk,
                                              std::uint64_t number) {
    if (rules.unit == LockUnit::bytes) {
        return piece_unit(rules, striping, chunk, number);
    }
    if (number > 0) {
        return std::nullopt;
    }
    return rules.unit == LockUnit::target ? chunk.target : 0;
}

}  // namespace weir::sim
