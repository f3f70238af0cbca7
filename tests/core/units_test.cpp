#include "core/units.hpp"

#include <gtest/gtest.h>

#include "support/failures/error_of.hpp"

namespace weir {
namespace {

TEST(ParseBytes, KeepsBinaryAndDecimalUnitsApart) {
    EXPECT_EQ(parse_bytes("64KiB").value, 65536U);
    EXPECT_EQ(parse_bytes("64kB").value, 64000U);
    EXPECT_EQ(parse_bytes("3GiB").value, 3221225472U);
    EXPECT_EQ(parse_bytes("47008B").value, 47008U);
    EXPECT_EQ(parse_bytes("0").value, 0U);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
    for (auto const* text :
         {"64", "KiB", "", "-1KiB", "1.5MiB", "64K", "64 KiB", "64kb", "99999999999999999999B", "17000000TiB"}) {
        EXPECT_THROW(parse_bytes(text), Error) << text;
    }
}

TEST(ParseBytes, SaysWhatIsWrongAndHowToWriteIt) {
    auto const error = testing::error_of([] { parse_bytes("64"); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
    EXPECT_STREQ(
        error.what(),
        "'64' is not a size (its unit is missing). Write for example 64KiB (2^16 bytes) or 64kB (64,000 bytes).");
}

TEST(ParseSeconds, ReadsEachUnit) {
    EXPECT_DOUBLE_EQ(parse_seconds("250ms").value, 0.25);
    EXPECT_DOUBLE_EQ(parse_seconds("1.5s").value, 1.5);
    EXPECT_DOUBLE_EQ(parse_seconds("2m").value, 120);
    EXPECT_DOUBLE_EQ(parse_seconds("1h").value, 3600);
    EXPECT_DOUBLE_EQ(parse_seconds("1h30m").value, 5400);
    EXPECT_DOUBLE_EQ(parse_seconds("1m1.5s250ms").value, 61.75);
    EXPECT_DOUBLE_EQ(parse_seconds("0").value, 0);
}

TEST(ParseSeconds, RefusesWhatIsNoTime) {
    for (auto const* text : {"30", "-1s", "s", "infs", "nans", "1d", "1h30", "1h-30m", "1m0", "00", ""}) {
        EXPECT_THROW(parse_seconds(text), Error) << text;
    }
}

TEST(FormatBytes, IsReadBackExactly) {
    for (std::uint64_t bytes :
         {1ULL, 1000ULL, 1024ULL, 47008ULL, 1ULL << 20, 1'000'000ULL, 5ULL << 30, 1ULL << 45, ~0ULL}) {
        EXPECT_EQ(parse_bytes(format_bytes(Bytes{bytes})).value, bytes);
    }
    EXPECT_EQ(format_bytes(Bytes{65536}), "64KiB");
}

}  // namespace
}  // namespace weir
