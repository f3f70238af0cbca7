#include "core/proc.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <regex>

namespace weir {
namespace {

TEST(NumberOfLine, FindsAKeyAtTheStartOfALine) {
    std::string const text = "MemTotal:  16 kB\nMemAvailable:   12 kB\nread_bytes: 7\n";
    EXPECT_EQ(number_of_line(text, "MemAvailable"), 12U);
    EXPECT_EQ(number_of_line(text, "read_bytes"), 7U);
    EXPECT_EQ(number_of_line(text, "Available"), std::nullopt);
    EXPECT_EQ(number_of_line("key: none\n", "key"), std::nullopt);
}

TEST(Proc, TellsOfThisMachine) {
    EXPECT_FALSE(host_name().empty());
    EXPECT_GE(allowed_cpu_count(), 1U);
    EXPECT_FALSE(allowed_cpus().empty());
    auto const memory = available_memory();
    ASSERT_TRUE(memory.has_value());
    EXPECT_GT(memory->value, 1U << 20);
    EXPECT_FALSE(read_text_file("/nonexistent/file").has_value());
}

TEST(UtcTime, IsIso8601WithMilliseconds) {
    EXPECT_TRUE(std::regex_match(utc_time(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"))) << utc_time();
}

}  // namespace
}  // namespace weir
