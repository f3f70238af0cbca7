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
    EXPECT_EQ(options.phases(), (std::vector{Call::create, Call::stat, Call::open, Call::unlink}));
    set.set_all({{"file_bytes", 10}, {"rename", true}});
    EXPECT_EQ(options.phases(),
              (std::vector{Call::create, Call::stat, Call::open, Call::read, Call::rename, Call::unlink}));
}

TEST_F(MetadataOptionsTest, LeavesOutWhatTheInterfaceOrLayoutHasNot) {
    set.set_all({{"interface", "mpiio"}});
    EXPECT_EQ(options.phases(), (std::vector{Call::create, Call::open, Call::unlink}));
    set.set_all({{"layout", "common-file"}});
    EXPECT_EQ(options.phases(), (std::vector{Call::open}));
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
    CallTimes times;
    Stopwatch watch(clock, times);
    clock.advance(Seconds{2});
    EXPECT_EQ(watch.lap(Call::open), 2);
    clock.advance(Seconds{3});
    EXPECT_EQ(watch.lap(Call::close), 3);
    clock.advance(Seconds{100});
    watch.start();
    clock.advance(Seconds{4});
    EXPECT_EQ(watch.lap(Call::open), 4);
    EXPECT_EQ(times.latency(Call::open).count(), 2U);
    EXPECT_EQ(times.latency(Call::open).max_s(), 4);
    EXPECT_EQ(times.totals_s()[static_cast<std::size_t>(Call::open)], 6);
    EXPECT_EQ(times.totals_s()[static_cast<std::size_t>(Call::close)], 3);
    EXPECT_EQ(times.latency(Call::unlink).count(), 0U);
}

}  // namespace
}  // namespace weir
