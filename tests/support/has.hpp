#pragma once

#include <gtest/gtest.h>

#include <string_view>

namespace weir::testing {

/// Does a text hold these words? If not, the failure shows both.
inline ::testing::AssertionResult has(std::string_view text, std::string_view words) {
    auto const found = text.find(words) != std::string_view::npos;
    return (found ? ::testing::AssertionSuccess() : ::testing::AssertionFailure())
           << "'" << text << "', looked through for '" << words << "'";
}

}  // namespace weir::testing
