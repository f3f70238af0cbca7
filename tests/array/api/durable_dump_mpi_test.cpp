// The order in which a dump comes to the device and into its place, and what is left where it ends between two steps.

#include <gtest/gtest.h>
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include "support/arrays/array_fixture.hpp"

namespace {

struct Step {
    std::string call;  ///< "write", "sync" or "rename"
    std::string file;  ///< the renamed one's old name
    bool operator==(Step const&) const = default;
};

/// What this process does to files below a directory.
struct Watch {
    std::mutex mutex;
    std::string directory;  ///< empty: nothing is watched
    std::vector<Step> steps;

    void note(char const* call, std::string const& file) {
        std::lock_guard const lock(mutex);
        if (!directory.empty() && file.starts_with(directory)) {
            steps.push_back({call, file});
        }
    }
    void note(char const* call, int descriptor) {
        std::error_code none;
        note(call, std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none).string());
    }
};
Watch watch;
/// How many renames succeed before all others fail; negative: all succeed.
int renames_left = -1;
bool syncs_fail = false;
bool writes_are_late = false;
/// What takes the place of a file while that is brought to the device.
std::string intruder;
bool copies_inside = true;
/// When the last write ended and the last sync began, for all processes of a machine.
std::uint64_t written = 0, synced = 0;

std::uint64_t now() { return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); }

}  // namespace

// In the place of the C library's, for what is linked into this program (--wrap in CMakeLists.txt).
extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
int __real_fsync(int descriptor);
ssize_t __real_pwrite(int descriptor, void const* data, size_t bytes, off_t offset);
int __real_rename(char const* from, char const* to);
ssize_t __real_copy_file_range(int from, loff_t* from_offset, int to, loff_t* to_offset, size_t bytes, unsigned flags);

int __wrap_fsync(int descriptor) {
    watch.note("sync", descriptor);
    synced = now();
    if (!intruder.empty()) {
        std::error_code none;
        auto const link = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none);
        __real_rename(intruder.c_str(), link.c_str());
    }
    if (syncs_fail) {
        errno = EIO;
        return -1;
    }
    return __real_fsync(descriptor);
}

ssize_t __wrap_pwrite(int descriptor, void const* data, size_t bytes, off_t offset) {
    watch.note("write", descriptor);
    if (writes_are_late) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    auto const result = __real_pwrite(descriptor, data, bytes, offset);
    written = now();
    return result;
}

int __wrap_rename(char const* from, char const* to) {
    if (renames_left == 0) {
        errno = EIO;
        return -1;
    }
    renames_left -= renames_left > 0 ? 1 : 0;
    watch.note("rename", from);
    return __real_rename(from, to);
}

ssize_t __wrap_copy_file_range(int from, loff_t* from_offset, int to, loff_t* to_offset, size_t bytes, unsigned flags) {
    if (!copies_inside) {
        errno = EXDEV;
        return -1;
    }
    // A part of it: the rest is asked for again.
    return __real_copy_file_range(from, from_offset, to, to_offset, (bytes + 1) / 2, flags);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace weir::testing {
namespace {

class DurableDump : public ArrayFixture {
  protected:
    ~DurableDump() override {
        watch.directory.clear();
        renames_left = -1;
        syncs_fail = writes_are_late = false;
        intruder.clear();
        copies_inside = true;
    }

    /// Writes a version, watched.
    int write(std::string const& options, std::uint64_t version) {
        watch.steps.clear();
        watch.directory = directory.path();
        auto arrays = arrays_of(layout_);
        auto const code = ArrayFixture::write(planned(arrays, options), arrays, version);
        watch.directory.clear();
        comm.barrier();
        return code;
    }

    /// What is wrong on this rank with what is read.
    std::string read(std::uint64_t version, char const* options = "checksum=yes") {
        auto arrays = arrays_of(layout_);
        auto const code = ArrayFixture::read(planned(arrays, options), arrays);
        comm.barrier();
        return code == WEIR_OK ? arrays.wrong(version) : error.message;
    }

    /// Is nothing of this file left that this rank has written and not brought to the device?
    [[nodiscard]] static bool on_device(std::string const& file) {
        auto const last = [&](char const* call) {
            auto const found = std::find(watch.steps.rbegin(), watch.steps.rend(), Step{call, file});
            return watch.steps.rend() - found;
        };
        return last("write") > 0 && last("sync") > last("write");
    }

    Layout layout_ = blocks({16, 7});
};

TEST_F(DurableDump, IsBroughtToTheDeviceByOneRankOfEachNode) {
    for (std::string const options :
         {"", "thread=yes", "async=yes", "checksum=yes", "safe=yes", "safe=yes sync=no", "safe=yes thread=yes"}) {
        for (bool const apart : {false, true}) {
            SCOPED_TRACE(options + (apart ? ", each on a node" : ", all on one node"));
            ASSERT_TRUE(ok(write("method=independent " + options + (apart ? " node_size=1" : ""), 1)));
            auto const file = options.starts_with("safe") ? path + ".weir-part" : path;
            EXPECT_EQ(on_device(file), apart || comm.is_root());
        }
    }
    ASSERT_TRUE(ok(write("method=independent sync=no", 1)));
    EXPECT_EQ(std::ranges::count(watch.steps, Step{"sync", path}), 0);
}

TEST_F(DurableDump, IsOnTheDeviceWhenItTakesItsPlaceAndThenSoIsItsName) {
    ASSERT_TRUE(ok(write("method=independent safe=yes checksum=yes", 1)));
    if (!comm.is_root()) {
        EXPECT_EQ(std::ranges::count(watch.steps, "rename", &Step::call), 0);
        return;
    }
    std::vector<std::string> placed;
    for (std::size_t i = 1; i + 1 < watch.steps.size(); ++i) {
        if (watch.steps[i].call == "rename") {
            placed.push_back(watch.steps[i].file);
            EXPECT_EQ(watch.steps[i - 1], (Step{"sync", placed.back()}));
            EXPECT_EQ(watch.steps[i + 1], (Step{"sync", directory.path().string()}));
        }
    }
    auto const sums = path + ".weirsum.weir-part";
    EXPECT_EQ(placed, (std::vector{sums, path + ".weir-part", sums}));
}

TEST_F(DurableDump, IsBroughtToTheDeviceWhenAllRanksOfTheNodeHaveWritten) {
    writes_are_late = !comm.is_root();
    ASSERT_TRUE(ok(write("method=independent", 1)));
    auto const last = comm.max(written);
    EXPECT_TRUE(!comm.is_root() || synced > last);
}

TEST_F(DurableDump, DoesNotTakeItsPlaceWhereOneRankCannotBringItToTheDevice) {
    std::string const options = "method=independent safe=yes checksum=yes node_size=1";
    ASSERT_TRUE(ok(write(options, 1)));
    syncs_fail = comm.rank() + 1 == comm.size();
    EXPECT_EQ(write(options, 2), WEIR_IO);
    syncs_fail = false;
    EXPECT_EQ(read(1), "");
}

/// What somebody else has put in the place of the part file is neither taken for the dump nor removed.
TEST_F(DurableDump, DoesNotPutInPlaceWhatAnotherProgramHasPutThere) {
    ASSERT_TRUE(ok(write("method=independent safe=yes", 1)));
    auto const other = (directory.path() / "other").string();
    std::vector<std::byte> const foreign(100, std::byte{7});
    on_root([&] {
        make_file(other, foreign);
        intruder = other;
    });
    EXPECT_EQ(write("method=independent safe=yes", 2), WEIR_IO);
    intruder.clear();
    EXPECT_TRUE(says("another program has replaced it"));
    if (comm.is_root()) {
        EXPECT_EQ(difference(bytes_of_file(path + ".weir-part"), foreign), "");
    }
    EXPECT_EQ(read(1, ""), "");
}

/// Whether the file system copies between files by itself, a part at a time, or not at all.
TEST_F(DurableDump, KeepsWhatStandsBesideTheArraysHoweverItIsCopied) {
    std::vector<std::byte> old(3'000'000);
    for (std::size_t i = 0; i < old.size(); ++i) {
        old[i] = static_cast<std::byte>(i * 37 % 251);
    }
    auto expected = old;
    Arrays(std::vector{layout_}, 0).put_into(expected, 0, 1);
    for (bool const inside : {true, false}) {
        copies_inside = inside;
        on_root([&] { make_file(path, old); });
        ASSERT_TRUE(ok(write("method=independent safe=yes", 1)));
        on_root([&] { EXPECT_EQ(difference(bytes_of_file(path), expected), "") << inside; });
    }
}

TEST_F(DurableDump, IsVerifiedWhereverItEnds) {
    std::string const options = "method=independent safe=yes checksum=yes";
    ASSERT_TRUE(ok(write(options, 1)));
    // The checksums of both versions, the dump, and those of the new one alone take their places one after the other.
    for (auto const& [renames, version] : {std::pair{0, 1U}, {1, 1U}, {2, 4U}}) {
        renames_left = renames;
        EXPECT_EQ(write(options, 2U + static_cast<std::uint64_t>(renames)), WEIR_IO);
        renames_left = -1;
        EXPECT_EQ(read(version), "") << renames;
    }
}

}  // namespace
}  // namespace weir::testing
