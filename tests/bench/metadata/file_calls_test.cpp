#include "bench/metadata/file_calls.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <array>
#include <cerrno>
#include <fstream>

#include "bench/metadata/file_phases.hpp"
#include "support/failures/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

TEST(FileName, NumbersInPlace) {
    FileName file("/scratch/dir", "weir-file", 3, 101);
    file.number(7);
    EXPECT_STREQ(file.path(), "/scratch/dir/weir-file-3-007");
    EXPECT_STREQ(file.name(), "weir-file-3-007");
    file.number(100);
    EXPECT_STREQ(file.name(), "weir-file-3-100");
    file.number(0);
    EXPECT_STREQ(file.name(), "weir-file-3-000");
}

TEST(FileName, OfTheOnlyFileHasOneDigit) {
    FileName file(".", "weir-file", 0, 1);
    file.number(0);
    EXPECT_STREQ(file.path(), "./weir-file-0-0");
}

struct PosixCallsTest : ::testing::Test {
    PosixCallsTest() { calls->enter(directory.path()); }

    testing::TemporaryDirectory directory;
    std::unique_ptr<FileCalls> calls = posix_calls();
    FileName file{directory.path(), "weir-file", 0, 10};
    FileName renamed{directory.path(), "weir-renamed", 0, 10};
};

TEST_F(PosixCallsTest, GoesThroughTheLifeOfAFile) {
    std::array<std::byte, 100> data{};
    data.fill(std::byte{7});
    calls->create(file);
    calls->write(0, data);
    calls->write(100, data);
    calls->sync();
    calls->close();
    EXPECT_EQ(std::filesystem::file_size(file.path()), 200U);
    data.fill(std::byte{0});
    calls->open(file);
    EXPECT_EQ(calls->size(), 200);
    calls->read(100, data);
    EXPECT_EQ(data.back(), std::byte{7});
    calls->close();
    calls->stat(file);
    calls->rename(file, renamed);
    EXPECT_TRUE(std::filesystem::exists(renamed.path()));
    calls->unlink(renamed);
    EXPECT_EQ(directory.entries(), 0);
}

TEST_F(PosixCallsTest, SaysWhatIsMissing) {
    for (auto const* what : {"open", "stat", "remove", "rename"}) {
        auto const error = testing::error_of([&] {
            what[0] == 'o'   ? calls->open(file)
            : what[0] == 's' ? calls->stat(file)
            : what[2] == 'm' ? calls->unlink(file)
                             : calls->rename(file, renamed);
        });
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
        EXPECT_EQ(error.diagnosis().problem, std::string("cannot ") + what + " '" + file.path() + "'");
        EXPECT_EQ(error.diagnosis().reason, "No such file or directory");
    }
}

TEST_F(PosixCallsTest, RefusesAFileThatIsShorterThanItWas) {
    std::ofstream(file.path()) << "short";
    std::array<std::byte, 100> data{};
    calls->open(file);
    EXPECT_THROW(calls->read(0, data), Error);
}

TEST_F(PosixCallsTest, KnowsWhoHasAFileOpen) {
    std::ofstream(file.path()) << "x";
    EXPECT_EQ(holds_descriptor_of(file.path()), false);
    calls->open(file);
    EXPECT_EQ(holds_descriptor_of(file.path()), true);
    calls->close();
    EXPECT_EQ(holds_descriptor_of(file.path()), false);
    EXPECT_EQ(holds_descriptor_of(renamed.path()), std::nullopt);
}

TEST(InPieces, GoesOnAfterAFailureAndThrowsTheFirst) {
    std::vector<std::uint64_t> lengths;
    auto const error = testing::error_of([&] {
        in_pieces(4, 10, [&](std::uint64_t at, std::uint64_t length) {
            lengths.push_back(length);
            if (at < 8) {
                throw file_error("write", at == 0 ? "first" : "second", EIO);
            }
        });
    });
    EXPECT_EQ(error.diagnosis().problem, "cannot write 'first'");
    EXPECT_EQ(lengths, (std::vector<std::uint64_t>{4, 4, 2}));
}

}  // namespace
}  // namespace weir
