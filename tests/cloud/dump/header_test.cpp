#include "apps/cloud/dump/header.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "core/error.hpp"
#include "support/error_of.hpp"

namespace weir::cloud {
namespace {

constexpr Header header{{128, 96, 64}, 16777216, 0.25F, 1.1F};

std::string refusal(std::array<float, 6> const& reals) {
    return Error(testing::refusal_of(ExitCode::usage, [&] { static_cast<void>(header_from(reals, "here/restart")); }))
        .what();
}

TEST(Header, IsSixRealsAndBack) {
    EXPECT_EQ(to_reals(header), (std::array<float, 6>{128, 96, 64, 16777216, 0.25F, 1.1F}));
    EXPECT_EQ(header_from(to_reals(header), "a file"), header);
}

TEST(Header, TellsNoStepThatAFourByteRealWouldRound) {
    EXPECT_NO_THROW(check_step(16777216));
    auto later = header;
    later.step = 16777217;
    testing::expect_error(
        ExitCode::usage, "no dump can represent step 16777217", [&] { static_cast<void>(to_reals(later)); },
        &Diagnosis::problem);
}

TEST(Header, OfTheOtherByteOrderIsRefusedAsSuch) {
    auto reals = to_reals(header);
    for (auto& x : reals) {
        auto bytes = std::bit_cast<std::array<std::byte, 4>>(x);
        std::ranges::reverse(bytes);
        x = std::bit_cast<float>(bytes);
    }
    auto const message = refusal(reals);
    EXPECT_TRUE(testing::has(message, "here/restart is of a machine of the other byte order"));
}

TEST(Header, ThatIsNoneIsRefusedWithWhatIsThere) {
    auto const message = refusal({1.5F, 2, 3, 4, 5, 6});
    EXPECT_TRUE(
        testing::has(message, "here/restart is no restart file (it begins with the numbers 1.5, 2, 3, 4, 5, 6"));
    for (std::size_t i = 0; i < 6; ++i) {
        for (auto const wrong : {NAN, INFINITY, i == 4 ? NAN : -1.0F, i < 4 ? 0x1p25F : NAN}) {
            auto reals = to_reals(header);
            reals[i] = wrong;
            EXPECT_NE(refusal(reals), "") << wrong << " in place " << i;
        }
    }
}

}  // namespace
}  // namespace weir::cloud
