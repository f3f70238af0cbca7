#include "bench/metadata/metadata_options.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

struct MetadataOptionsTest : ::testing::Test {
    MetadataOptionsTest() { options.declare(set); }

    void expect_refused(char const* problem) {
        auto const error = testing::error_of([&] { options.validate_choices(); });
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
        EXPECT_TRUE(testing::has(error.diagnosis().problem, problem));
        EXPECT_FALSE(error.diagnosis().suggestion.empty());
    }

    MetadataOptions options;
    OptionSet set;
};

TEST_F(MetadataOptionsTest, ReadsOnlyFilesThatHaveBytes) {
    EXPECT_EQ(options.phases(),
              (std::vector{MetadataCall::create, MetadataCall::stat, MetadataCall::open, MetadataCall::unlink}));
    set.set_all({{"file_bytes", 10}, {"rename", true}});
    EXPECT_EQ(options.phases(), (std::vector{MetadataCall::create, MetadataCall::stat, MetadataCall::open,
                                             MetadataCall::read, MetadataCall::rename, MetadataCall::unlink}));
}

TEST_F(MetadataOptionsTest, LeavesOutWhatTheInterfaceOrLayoutHasNot) {
    set.set_all({{"interface", "mpiio"}});
    EXPECT_EQ(options.phases(), (std::vector{MetadataCall::create, MetadataCall::open, MetadataCall::unlink}));
    set.set_all({{"layout", "common-file"}});
    EXPECT_EQ(options.phases(), (std::vector{MetadataCall::open}));
}

TEST_F(MetadataOptionsTest, CountsFilesDirectoriesAndBlocks) {
    set.set_all({{"files", 10}, {"file_bytes", 5000}, {"layout", "private-directory"}});
    auto const totals = options.totals(4);
    EXPECT_EQ(std::tuple(totals.files, totals.inodes, totals.bytes_written, totals.bytes_read, totals.bytes_on_disk),
              std::tuple(40U, 45U, 200'000U, 200'000U, 40U * 8192U));
    EXPECT_EQ(totals.operations, 40U * 5U);
}

TEST_F(MetadataOptionsTest, CountsCommonFilesOnceAndTheirOpensByRank) {
    set.set_all({{"files", 10}, {"file_bytes", 100}, {"layout", "common-file"}, {"stat", false}});
    auto const totals = options.totals(4);
    EXPECT_EQ(std::tuple(totals.files, totals.bytes_written, totals.bytes_read, totals.operations),
              std::tuple(10U, 1000U, 4000U, 80U));
}

TEST_F(MetadataOptionsTest, RefusesContradictions) {
    set.set_all({{"opening", "broadcast"}});
    expect_refused("opening = broadcast contradicts layout");
    set.set_all({{"layout", "common-file"}, {"opening", "collective"}});
    expect_refused("opening = collective contradicts interface = posix");
    set.set_all({{"opening", "independent"}, {"reorder", "rank"}});
    expect_refused("reorder contradicts layout = common-file");
    set.set_all({{"layout", "shared-directory"}, {"interface", "mpiio"}, {"rename", true}});
    expect_refused("rename contradicts interface = mpiio");
    set.set_all({{"rename", false}, {"files", 1'000'000'000}, {"file_bytes", 1ULL << 40U}});
    expect_refused("are too much");
}

TEST(Stopwatch, BooksTimeToTheCallThatEnded) {
    ManualClock clock;
    MetadataCallTimes times;
    Stopwatch watch(clock, times);
    clock.advance(Seconds{2});
    EXPECT_EQ(watch.lap(MetadataCall::open), 2);
    clock.advance(Seconds{3});
    EXPECT_EQ(watch.lap(MetadataCall::close), 3);
    clock.advance(Seconds{100});
    watch.start();
    clock.advance(Seconds{4});
    EXPECT_EQ(watch.lap(MetadataCall::open), 4);
    EXPECT_EQ(times.latency(MetadataCall::open).count(), 2U);
    EXPECT_EQ(times.latency(MetadataCall::open).max_s(), 4);
    EXPECT_EQ(times.totals_s()[static_cast<std::size_t>(MetadataCall::open)], 6);
    EXPECT_EQ(times.totals_s()[static_cast<std::size_t>(MetadataCall::close)], 3);
    EXPECT_EQ(times.latency(MetadataCall::unlink).count(), 0U);
}

}  // namespace
}  // namespace weir
