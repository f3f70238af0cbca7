// Files that end too soon, and cannot be written or opened on one rank alone: all ranks return the same code and
// message, none waits, and the plan is as good as before.

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <filesystem>
#include <optional>

#include "array/api/bad_input.hpp"
#include "support/failures/file_size_limit.hpp"
#include "support/skip.hpp"

namespace weir::testing {
namespace {

TEST_F(BadInput, AFileThatEndsBeforeTheArray) {
    each_way({rows()}, [&](PlanHandle const& plan, Arrays& arrays) {
        ASSERT_TRUE(ok(write(plan, arrays)));
        for (auto const bytes : {96 * 25 * 8 - 1, 96 * 25 * 8 / 2, 0}) {
            comm.barrier();
            on_root([&] { std::filesystem::resize_file(path, static_cast<std::uintmax_t>(bytes)); });
            everywhere(read(plan, arrays), WEIR_SHORT_FILE,
                       "it ends at byte " + std::to_string(bytes) + ", and the arrays end at 19200");
        }
        comm.barrier();
        still_good(plan, arrays);
        comm.barrier();
        on_root([&] { std::filesystem::remove(path); });
        everywhere(read(plan, arrays), WEIR_IO, "No such file or directory");
    });
}

TEST_F(BadInput, AFileThatIsCutEndsWhereItEndsForAllRanks) {
    // The first rank, whose failure is told, reads from behind the end on.
    auto layout = rows();
    auto const each = 96 / ranks;
    layout.distribution = Distribution::boxes;
    for (auto rank = ranks; rank-- > 0;) {
        layout.starts.push_back({{rank * each, 0}});
        layout.counts.push_back({{each, 25}});
    }
    each_way({layout}, [&](PlanHandle const& plan, Arrays& arrays) {
        ASSERT_TRUE(ok(write(plan, arrays)));
        on_root([&] { std::filesystem::resize_file(path, 1001); });
        everywhere(read(plan, arrays), WEIR_SHORT_FILE, "it ends at byte 1001, and the arrays end at 19200");
    });
}

TEST_F(BadInput, AWriteThatFailsOnOneRankAlone) {
    for (auto const* options : ways) {
        for (std::uint64_t rank = 0; rank < comm.size(); rank += 1 + comm.size() / 5) {
            SCOPED_TRACE(::testing::Message() << options << ", rank " << rank);
            Arrays arrays({rows()}, comm.rank());
            auto const plan = planned(arrays, options);
            int code = WEIR_OK;
            {
                FileSizeLimit const full(comm.rank() == rank ? 1000 : RLIM_INFINITY);
                code = write(plan, arrays);
                comm.barrier();
            }
            // Ranks that are no aggregators have nothing to write.
            if (code != WEIR_OK || rank == 0) {
                everywhere(code, WEIR_IO, "cannot be written at byte");
                EXPECT_EQ(error.rank, static_cast<int>(rank));
                EXPECT_TRUE(says("File too large"));
            }
            still_good(plan, arrays);
        }
    }
}

/// While it exists, this process cannot open another file.
class NoDescriptors {
  public:
    explicit NoDescriptors(bool here) {
        getrlimit(RLIMIT_NOFILE, &before_);
        if (here) {
            rlimit const none{3, before_.rlim_max};
            setrlimit(RLIMIT_NOFILE, &none);
        }
    }
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptors(NoDescriptors const&) = delete;
    NoDescriptors& operator=(NoDescriptors const&) = delete;

  private:
    rlimit before_{};
};

TEST_F(BadInput, AFileThatOneRankCannotOpen) {
    each_way({rows()}, [&](PlanHandle const& plan, Arrays& arrays) {
        still_good(plan, arrays);
        std::optional<NoDescriptors> none(std::in_place, comm.is_root());
        auto const code = write(plan, arrays);
        everywhere(code, WEIR_IO, "cannot be opened (Too many open files)");
        everywhere(read(plan, arrays), WEIR_IO, "cannot be opened (Too many open files)");
        EXPECT_EQ(error.rank, 0);
        none.reset();
        still_good(plan, arrays);
    });
}

/// A file system of a few pages, where this process may make one.
class SmallDisk {
  public:
    SmallDisk(Communicator const& comm, std::string place) : comm_(comm), place_(std::move(place)) {
        std::uint64_t made = 0;
        if (comm.is_root()) {
            std::filesystem::create_directory(place_);
            made = ::mount("weir-test", place_.c_str(), "tmpfs", 0, "size=8k") == 0 ? 1 : 0;
        }
        made_ = comm.max(made) == 1;
    }
    ~SmallDisk() {
        comm_.barrier();
        if (made_ && comm_.is_root()) {
            ::umount2(place_.c_str(), MNT_DETACH);
        }
        comm_.barrier();
    }
    SmallDisk(SmallDisk const&) = delete;
    SmallDisk& operator=(SmallDisk const&) = delete;

    [[nodiscard]] bool made() const { return made_; }

  private:
    Communicator const& comm_;
    std::string place_;
    bool made_ = false;
};

TEST_F(BadInput, AFullDisk) {
    auto const place = directory.path() / "disk";
    SmallDisk const disk(comm, place);
    WEIR_SKIP_IF(!disk.made()) << "this user may not mount a file system";
    auto const good = path;
    each_way({rows()}, [&](PlanHandle const& plan, Arrays& arrays) {
        path = place / "file";
        everywhere(write(plan, arrays), WEIR_IO, "No space left on device");
        path = good;
        still_good(plan, arrays);
    });
}

}  // namespace
}  // namespace weir::testing
