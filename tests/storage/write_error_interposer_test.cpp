#include "storage/write_error_interposer.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "support/failures/file_size_limit.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct WriteWatched : ::testing::Test {
    ~WriteWatched() override { ::close(fd); }

    [[nodiscard]] off_t size() const {
        struct stat status {};
        return fstat(fd, &status) == 0 ? status.st_size : -1;
    }

    testing::TemporaryDirectory directory;
    int fd = ::open((directory.path() / "file").c_str(), O_CREAT | O_RDWR, 0666);
    std::string data = std::string(100, 'x');
    std::optional<int> error;
    testing::FileSizeLimit limit{150};
};

TEST_F(WriteWatched, AFailedWriteIsNotedAndSeemsToSucceed) {
    WriteWatch const watch(error);
    EXPECT_EQ(::pwrite(fd, data.data(), 100, 0), 100);
    EXPECT_FALSE(error);
    EXPECT_EQ(::pwrite(fd, data.data(), 100, 200), 100);
    EXPECT_EQ(error, EFBIG);
    EXPECT_EQ(size(), 100);
}

TEST_F(WriteWatched, AShortWriteIsGoneOnWithUntilItSaysWhy) {
    WriteWatch const watch(error);
    EXPECT_EQ(::pwrite(fd, data.data(), 100, 100), 100);
    EXPECT_EQ(error, EFBIG);
    EXPECT_EQ(size(), 150);
}

TEST_F(WriteWatched, SoIsOneInParts) {
    WriteWatch const watch(error);
    std::array<iovec, 3> const parts{iovec{data.data(), 60}, iovec{data.data(), 60}, iovec{data.data(), 60}};
    EXPECT_EQ(::pwritev(fd, parts.data(), 2, 0), 120);
    EXPECT_FALSE(error);
    EXPECT_EQ(::pwritev(fd, parts.data(), 3, 0), 180);
    EXPECT_EQ(error, EFBIG);
    EXPECT_EQ(size(), 150);
}

TEST_F(WriteWatched, AFileThatCannotGrowIsNoted) {
    WriteWatch const watch(error);
    EXPECT_EQ(::ftruncate(fd, 1000), 0);
    EXPECT_EQ(error, EFBIG);
}

TEST_F(WriteWatched, OtherErrorsAreTheCallers) {
    WriteWatch const watch(error);
    EXPECT_EQ(::pwrite(-1, data.data(), 100, 0), -1);
    EXPECT_EQ(errno, EBADF);
    EXPECT_FALSE(error);
}

TEST_F(WriteWatched, WithoutAWatchNothingIsHeldBack) {
    { WriteWatch const watch(error); }
    EXPECT_EQ(::pwrite(fd, data.data(), 100, 100), 50);
    EXPECT_EQ(::pwrite(fd, data.data(), 100, 200), -1);
    EXPECT_EQ(errno, EFBIG);
    EXPECT_EQ(::fsync(-1), -1);
    EXPECT_FALSE(error);
}

}  // namespace
}  // namespace weir
