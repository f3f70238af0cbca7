#include "apps/common/grid.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

TEST(TripleText, ReadsWhatItWrites) {
    EXPECT_EQ(parse_triple("128x96x1", "cells"), (Triple{128, 96, 1}));
    EXPECT_EQ(to_text(parse_triple("16777216x2x3", "cells")), "16777216x2x3");
}

TEST(TripleText, RefusesWhatIsNone) {
    for (auto const* text : {"", "8", "8x8", "8x8x", "8x8x8x8", "8 x8x8", "8x8x8 ", "8x-8x8", "8x0x8", "8x8x16777217",
                             "axbxc", "8x8x99999999999999999999", "xxx", "8,8,8", "8x8.5x8"}) {
        auto const error = testing::error_of([&] { parse_triple(text, "cells"); });
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
        EXPECT_NE(error.diagnosis().problem.find("cells = '" + std::string(text) + "'"), std::string::npos);
    }
}

}  // namespace
}  // namespace weir
