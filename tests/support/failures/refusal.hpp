#pragma once

#include <gtest/gtest.h>

#include <string>

#include "comm/collective_error_c.hpp"

namespace weir::testing {

/// The message that the library refuses `work` with, as a bad argument; empty if it does not.
template <class Work>
std::string refusal(Work work) {
    try {
        work();
        return "";
    } catch (Failure const& failure) {
        EXPECT_EQ(failure.code(), WEIR_BAD_ARGUMENT);
        return failure.what();
    }
}

}  // namespace weir::testing
