#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "apps/cloud/state.hpp"
#include "apps/cloud/totals.hpp"

namespace weir::cloud {

/// Is this rank's block, bit for bit, what one rank computed for the whole grid?
inline void expect_same_block(State const& mine, State const& whole) {
    auto const& n = mine.where().cells();
    auto const& all = whole.where().cells();
    auto const& start = mine.where().start();
    for (std::size_t v = 0; v < 6; ++v) {
        auto const part = mine[static_cast<Variable>(v)];
        auto const field = whole[static_cast<Variable>(v)];
        for (Index k = 0; k < n[2]; ++k) {
            for (Index j = 0; j < n[1]; ++j) {
                auto const* const row = part.data() + n[0] * (j + n[1] * k);
                auto const* const other = field.data() + start[0] + all[0] * (start[1] + j + all[1] * (start[2] + k));
                ASSERT_EQ(std::memcmp(row, other, static_cast<std::size_t>(n[0]) * sizeof(double)), 0)
                    << enum_names(Variable{})[v] << " differs in row " << start[1] + j << ", " << start[2] + k;
            }
        }
    }
}

/// The state as a restart file would give it back.
inline void round_to_single(State& state) {
    for (std::size_t v = 0; v < 6; ++v) {
        for (auto& x : state[static_cast<Variable>(v)]) {
            x = static_cast<float>(x);
        }
    }
    state.time = static_cast<float>(state.time);
}

/// Mass is what it was, and momentum nothing; as far as rounding lets them.
inline void expect_conserved(GasTotals const& before, GasTotals const& after) {
    EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    for (auto const momentum : after.momentum) {
        EXPECT_NEAR(momentum, 0, 1e-12 * before.mass);
    }
}

}  // namespace weir::cloud
