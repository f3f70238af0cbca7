// What a dump leaves alone: bytes beside the arrays, links, others' files, modes; and how far the file reaches.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "support/arrays/array_fixture.hpp"
#include "support/skip.hpp"

namespace weir::testing {
namespace {

class BesideDump : public ArrayFixture {
  protected:
    [[nodiscard]] static std::vector<std::byte> junk(std::uint64_t bytes) {
        std::vector<std::byte> all;
        for (std::uint64_t i = 0; i < bytes; ++i) {
            all.push_back(value_of(0, 99, i, 0));
        }
        return all;
    }

    int write(std::string const& options, std::uint64_t version) {
        auto arrays = arrays_of(layout_);
        auto const code = ArrayFixture::write(planned(arrays, options), arrays, version);
        comm.barrier();
        return code;
    }

    /// Is a file what is left of `old` after the arrays have been written into it? The same on all ranks.
    [[nodiscard]] std::string differs(std::vector<std::byte> old, std::uint64_t version) {
        std::string problem;
        on_root([&] {
            Arrays(std::vector{layout_}, 0).put_into(old, static_cast<std::uint64_t>(offset), version);
            problem = difference(bytes_of_file(path), old);
        });
        return comm.broadcast(problem);
    }

    void make_within() {
        layout_.larger_shape = {9, 11};
        layout_.larger_start = {2, 3};
    }

    std::string part_ = path + ".weir-part";
    Layout layout_ = blocks({6, 7});
};

TEST_F(BesideDump, StaysWhatStandsBeforeAndBehindTheArrays) {
    for (auto const* options : {"", "safe=yes", "safe=yes checksum=yes", "safe=yes method=independent"}) {
        for (bool const within : {false, true}) {
            for (std::uint64_t const bytes : {0U, 40U, 100U, 5000U, 3'000'000U}) {
                SCOPED_TRACE(std::string(options) + (within ? ", within, " : ", ") + std::to_string(bytes));
                offset = 48;
                if (within) {
                    make_within();
                } else {
                    layout_.larger_shape.clear();
                }
                on_root([&] { make_file(path, junk(bytes)); });
                for (std::uint64_t const version : {1U, 2U}) {
                    ASSERT_TRUE(ok(write(options, version)));
                    ASSERT_EQ(differs(junk(bytes), version), "");
                }
                on_root([&] { EXPECT_FALSE(std::filesystem::exists(part_)); });
            }
        }
    }
}

TEST_F(BesideDump, StaysWhatLiesBetweenArraysThatAreWrittenApart) {
    Arrays arrays({layout_, layout_}, comm.rank());
    auto const plan = planned(arrays, "safe=yes");
    on_root([&] { make_file(path, junk(2000)); });
    std::int64_t const offsets[] = {1000, 100};
    ASSERT_TRUE(ok(weir_write_at(plan.get(), path.c_str(), offsets, arrays.filled(1), &error)));
    on_root([&] {
        auto expected = junk(2000);
        for (std::size_t a = 0; a < 2; ++a) {
            for (std::uint64_t i = 0; i < layout_.bytes(); ++i) {
                expected[static_cast<std::size_t>(offsets[a]) + i] = value_of(1, a, i / 8, i % 8);
            }
        }
        EXPECT_EQ(difference(bytes_of_file(path), expected), "");
    });
}

TEST_F(BesideDump, GoesBehindASymbolicLinkWhichStays) {
    auto const folder = directory.path() / "elsewhere";
    auto const real = folder / "real";
    for (bool const there : {true, false}) {
        on_root([&] {
            std::filesystem::create_directory(folder);
            std::filesystem::remove(path);
            std::filesystem::remove(real);
            std::filesystem::create_symlink("elsewhere/real", path);
            if (there) {
                make_file(real, junk(5000));
            }
        });
        ASSERT_TRUE(ok(write("safe=yes", 1)));
        EXPECT_EQ(differs(junk(there ? 5000 : 0), 1), "");
        on_root([&] {
            EXPECT_TRUE(std::filesystem::is_symlink(path));
            EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(real)));
            EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
            EXPECT_EQ(directory.entries(), 2);
        });
    }
}

TEST_F(BesideDump, IsRefusedThroughALinkToItself) {
    on_root([&] { std::filesystem::create_symlink(path, path); });
    EXPECT_EQ(write("safe=yes", 1), WEIR_IO);
    EXPECT_TRUE(says("cannot be followed"));
}

TEST_F(BesideDump, FollowsNoLinkInThePlaceOfItsPartFile) {
    auto const victim = directory.path() / "victim";
    for (bool const hard : {false, true}) {
        on_root([&] {
            std::filesystem::remove(part_);
            make_file(victim, junk(300));
            make_file(path, junk(100));
            hard ? std::filesystem::create_hard_link(victim, part_) : std::filesystem::create_symlink(victim, part_);
        });
        EXPECT_EQ(write("safe=yes", 1), WEIR_IO);
        EXPECT_TRUE(says(hard ? "second name" : "symbolic link"));
        on_root([&] {
            EXPECT_EQ(difference(bytes_of_file(victim), junk(300)), "");
            EXPECT_EQ(difference(bytes_of_file(path), junk(100)), "");
            EXPECT_TRUE(std::filesystem::exists(part_));
        });
    }
}

TEST_F(BesideDump, FollowsNoLinkInThePlaceOfThePartFileOfChecksums) {
    auto const victim = directory.path() / "victim";
    on_root([&] {
        make_file(victim, junk(300));
        std::filesystem::create_symlink(victim, path + ".weirsum.weir-part");
    });
    EXPECT_EQ(write("checksum=yes", 1), WEIR_IO);
    on_root([&] { EXPECT_EQ(difference(bytes_of_file(victim), junk(300)), ""); });
}

TEST_F(BesideDump, WaitsForNoFifoInThePlaceOfItsPartFile) {
    on_root([&] { ASSERT_EQ(::mkfifo(part_.c_str(), 0600), 0); });
    EXPECT_EQ(write("safe=yes", 1), WEIR_IO);
    EXPECT_TRUE(says("it is no file"));
}

TEST_F(BesideDump, IsRefusedWhileAnotherProgramWritesThePartFile) {
    int held = -1;
    on_root([&] {
        make_file(part_, junk(300));
        held = ::open(part_.c_str(), O_RDWR | O_CLOEXEC);
        ASSERT_EQ(::flock(held, LOCK_EX), 0);
    });
    EXPECT_EQ(write("safe=yes", 1), WEIR_IO);
    EXPECT_TRUE(says("another program is just writing it"));
    on_root([&] {
        EXPECT_EQ(difference(bytes_of_file(part_), junk(300)), "");
        ::close(held);
    });
    EXPECT_TRUE(ok(write("safe=yes", 1)));  // now it is what an interrupted one has left
    EXPECT_EQ(differs({}, 1), "");
}

TEST_F(BesideDump, HasNothingOfALongerPartFileThatAnInterruptedOneHasLeft) {
    on_root([&] { make_file(part_, junk(5000)); });
    ASSERT_TRUE(ok(write("safe=yes", 1)));
    EXPECT_EQ(differs({}, 1), "");
}

TEST_F(BesideDump, RefusesAPartFileOfAnotherUser) {
    WEIR_SKIP_IF(::geteuid() != 0) << "only root can make another user's file";
    on_root([&] {
        make_file(part_, junk(300));
        ASSERT_EQ(::chown(part_.c_str(), 12345, 12345), 0);
    });
    EXPECT_EQ(write("safe=yes", 1), WEIR_IO);
    EXPECT_TRUE(says("belongs to user 12345"));
    on_root([&] { EXPECT_EQ(difference(bytes_of_file(part_), junk(300)), ""); });
}

TEST_F(BesideDump, HasTheModeAndTheOwnerOfTheFileThatItReplaces) {
    bool const root = ::geteuid() == 0;
    on_root([&] {
        make_file(path, junk(100));
        ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
        ASSERT_TRUE(!root || ::chown(path.c_str(), 12345, 12346) == 0);
    });
    ASSERT_TRUE(ok(write("safe=yes", 1)));
    on_root([&] {
        struct stat status {};
        ASSERT_EQ(::stat(path.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777U, 0640U);
        EXPECT_EQ(status.st_uid, root ? 12345 : ::geteuid());
        EXPECT_TRUE(!root || status.st_gid == 12346);
    });
}

TEST_F(BesideDump, ReachesToTheEndOfTheLargerArray) {
    make_within();
    for (auto const* options : {"method=independent", "method=gather", "method=two_phase", "method=grouped group=1",
                                "method=two_phase thread=yes", "safe=yes", "sync=no", "async=yes"}) {
        on_root([&] { std::filesystem::remove(path); });
        ASSERT_TRUE(ok(write(options, 1)));
        EXPECT_EQ(std::filesystem::file_size(path), 9U * 11 * 8) << options;
        EXPECT_EQ(differs({}, 1), "") << options;  // and all ranks have looked
        // Who describes the larger array can read it.
        auto whole = layout_;
        whole.shape = layout_.larger_shape;
        whole.larger_shape.clear();
        Arrays arrays({whole}, comm.rank());
        auto const plan = planned(arrays, options);
        EXPECT_TRUE(ok(read(plan, arrays)));
        comm.barrier();
    }
}

}  // namespace
}  // namespace weir::testing
