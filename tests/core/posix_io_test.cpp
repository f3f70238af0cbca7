#include "core/posix_io.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "core/own_file.hpp"
#include "support/counted_bytes.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

class PosixIo : public ::testing::Test {
  protected:
    testing::TemporaryDirectory const directory;
    Descriptor const file{::open((directory.path() / "file").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)};
};

TEST_F(PosixIo, MovesDataAtItsPlace) {
    auto const data = testing::counted(10'000);
    auto const written = write_at(file.get(), 5, data);
    EXPECT_EQ(written.bytes, 10'000U);
    EXPECT_EQ(written.calls, 1U);
    EXPECT_FALSE(written.failed());
    std::vector<std::byte> found(10'000);
    EXPECT_EQ(read_at(file.get(), 5, found).bytes, 10'000U);
    EXPECT_EQ(found, data);
    EXPECT_EQ(sync_file(file.get()), 0);
}

TEST_F(PosixIo, ReadsNoMoreThanThereIs) {
    static_cast<void>(write_at(file.get(), 0, testing::counted(100)));
    std::array<std::byte, 64> found{};
    auto const half = read_at(file.get(), 68, found);
    EXPECT_EQ(half.bytes, 32U);
    EXPECT_EQ(half.calls, 2U) << "the second one finds the end";
    EXPECT_FALSE(half.failed());
    EXPECT_EQ(read_at(file.get(), 1000, found).bytes, 0U);
    EXPECT_EQ(write_at(file.get(), 0, {}).bytes, 0U);
}

TEST_F(PosixIo, GoesOnWhereACallDidLessThanItWasAsked) {
    auto const data = testing::counted(1000);
    static_cast<void>(write_at(file.get(), 0, data));
    std::vector<std::byte> found(1000);
    ASSERT_EQ(read_once(file.get(), 0, std::span(found).first(300)), 300);
    auto const read = read_rest(file.get(), 0, found, 300);
    EXPECT_EQ(read.bytes, 1000U);
    EXPECT_EQ(read.calls, 2U);
    EXPECT_EQ(found, data);
    ASSERT_EQ(write_once(file.get(), 2000, std::span(data).first(1)), 1);
    EXPECT_EQ(write_rest(file.get(), 2000, data, 1).bytes, 1000U);
    EXPECT_EQ(read_at(file.get(), 2000, found).bytes, 1000U);
    EXPECT_EQ(found, data);
    errno = EINTR;
    EXPECT_EQ(write_rest(file.get(), 0, data, -1).bytes, 1000U) << "again after a signal";
}

TEST_F(PosixIo, TellsWhyItCouldNot) {
    auto const data = testing::counted(10);
    Descriptor const reader(::open((directory.path() / "file").c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(write_at(reader.get(), 0, data).error_number, EBADF);
    EXPECT_EQ(write_rest(file.get(), 0, data, 0).error_number, ENOSPC) << "a device that takes nothing more";
    std::array<std::byte, 4> found{};
    EXPECT_EQ(read_at(-1, 0, found).error_number, EBADF);
    EXPECT_EQ(sync_file(-1), EBADF);
    EXPECT_EQ(close_file(-1), EBADF);
}

}  // namespace
}  // namespace weir
