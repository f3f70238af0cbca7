#pragma once

#include <gtest/gtest.h>

#include <random>

namespace weir::testing {

/// Does this so often, with random numbers from one seed on; it ends with the first trial in which something fails.
template <class Random = std::mt19937_64, class Trial>
void each_trial(int trials, unsigned seed, Trial trial) {
    Random random(seed);
    for (int i = 0; i < trials && !::testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(::testing::Message() << "trial " << i);
        trial(random);
    }
}

}  // namespace weir::testing
