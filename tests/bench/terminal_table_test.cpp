#include "bench/terminal_table.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(TerminalTables, ShowValuesWithThreeDigitsInTheUnitThatPeopleRead) {
    EXPECT_EQ(value_words(1048576.0 * 2730, "B/s"), "2730 MiB/s");
    EXPECT_EQ(value_words(2.73e9, "B/s", true), "2.73 GB/s");
    EXPECT_EQ(value_words(0.02134, "s"), "21.3 ms");
    EXPECT_EQ(value_words(4.2e-8, "s"), "42.0 ns");
    EXPECT_EQ(value_words(0, "s"), "0 ns");
    EXPECT_EQ(value_words(5.004e9, "flop/s"), "5.00 Gflop/s");
    EXPECT_EQ(value_words(1234.5, "1/s"), "1234 a second");
    EXPECT_EQ(value_words(0.5, "us"), "0.500 us");
}

TEST(TerminalTables, HaveAHeadingOnceAndARowAMetric) {
    StandardOutputLines out;
    TerminalTable table(out);
    auto const metric = [](char const* noun, Json value) {
        return Json{{"noun", noun}, {"unit", "s"}, {"value", std::move(value)}};
    };
    ::testing::internal::CaptureStdout();
    table.write({{"kind", "launch"}});
    table.write({{"kind", "sample"},
                 {"phase", "write"},
                 {"metrics", {metric("time", 1.0), metric("unknown", nullptr)}},
                 {"warnings", Json::array({{{"problem", "busy\x1b"}}})}});
    table.write({{"kind", "sample"}, {"phase", "read"}, {"metrics", {metric("time", 2.0)}}});
    auto const shown = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(shown.find("phase"), 0U);
    EXPECT_EQ(shown.find("phase", 1), std::string::npos);
    EXPECT_NE(shown.find("1.00 s\n  ! busy\\x1b\nread"), std::string::npos) << shown;
    EXPECT_EQ(shown.find("unknown"), std::string::npos);
}

TEST(TerminalTables, TellOfCachesAndOfWritesThatAreNotSynced) {
    StandardOutputLines out;
    TerminalTable table(out);
    ::testing::internal::CaptureStdout();
    auto const none = Json::array();
    Json const cached{{"suspect", true}, {"why", "it was read before"}};
    auto const one = Json{{"noun", "rate"}, {"unit", "1/s"}, {"value", 2}};
    table.write({{"kind", "sample"}, {"phase", "write"}, {"sync", "never"}, {"metrics", {one}}, {"warnings", none}});
    table.write({{"kind", "sample"}, {"phase", "read"}, {"cache", cached}, {"metrics", {one}}, {"warnings", none}});
    auto const shown = ::testing::internal::GetCapturedStdout();
    EXPECT_NE(shown.find("write (not synced)"), std::string::npos) << shown;
    EXPECT_NE(shown.find("! from a cache, not the device: it was read before"), std::string::npos) << shown;
}

}  // namespace
}  // namespace weir
