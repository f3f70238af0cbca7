#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "support/has.hpp"

namespace weir::testing {

/// What `work` fails with; that it does not fail is a failure of the test.
template <class Work>
Error error_of(Work work) {
    try {
        work();
    } catch (Error const& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return Error(Diagnosis{});
}

/// `work` fails with this code, and says these words: anywhere, or in this part of what it says.
template <class Work>
void expect_error(ExitCode code, std::string_view words, Work work, std::string Diagnosis::*part = nullptr) {
    auto const error = error_of(work);
    EXPECT_EQ(error.diagnosis().exit_code, code) << error.what();
    EXPECT_TRUE(has(part == nullptr ? error.what() : error.diagnosis().*part, words)) << error.what();
}

/// What `work` is refused with, by this code; without a word where it is not refused.
template <class Work>
Diagnosis refusal_of(ExitCode code, Work work) {
    try {
        work();
    } catch (Error const& error) {
        EXPECT_EQ(error.diagnosis().exit_code, code) << error.what();
        return error.diagnosis();
    }
    return {};
}

}  // namespace weir::testing
