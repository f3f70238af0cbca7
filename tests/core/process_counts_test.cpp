#include "core/process_counts.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <vector>

namespace weir {
namespace {

TEST(ProcessCounts, CountCallsAndBytes) {
    auto const before = process_counts();
    if (!before) {
        GTEST_SKIP() << "this kernel does not count a process's calls";
    }
    auto const fd = ::open("/dev/null", O_WRONLY);
    std::vector<char> const data(1 << 20);
    for (int i = 0; i < 5; ++i) {
        ASSERT_EQ(::pwrite(fd, data.data(), data.size(), 0), 1 << 20);
    }
    ::close(fd);
    auto const made = process_counts()->since(*before);
    // Other threads may write a few bytes too: a sanitizer's, an MPI's.
    EXPECT_GE(made.write_calls, 5U);
    EXPECT_LE(made.write_calls, 50U);
    EXPECT_EQ(made.write_call_bytes >> 20U, 5U);
    EXPECT_GE(made.read_calls, 1U) << "reading the counts is a read, too";
    EXPECT_GE(made.user_s, 0);
}

}  // namespace
}  // namespace weir
