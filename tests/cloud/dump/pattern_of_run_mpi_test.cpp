// What Dumps counts on a rank is what the pattern of the run expands to there.

#include "apps/cloud/dump/pattern_of_run.hpp"

#include <gtest/gtest.h>

#include "apps/cloud/dump/dumps.hpp"
#include "cloud/dump/made_state.hpp"
#include "pattern/expansion.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

/// A restart is read, then dumps are written: the calls of this rank.
IoLog calls_of(RunShape const& run, std::filesystem::path const& directory) {
    Decomposition const where(Communicator::world(), {run.cells, 1.0}, run.ranks);
    MonotonicClock clock;
    Dumps io(where, directory, run.method, clock);
    io.write_restart(made_state(where, run.first_step), 1.1);
    io.clear_log();
    auto state = io.read_restart(directory / restart_name);
    for (Index step = 1; step <= run.steps; ++step) {
        ++state.step;
        if (dumps_after(state.step, run.dump_every)) {
            io.write(state, 1.1);
        }
    }
    return io.log();
}

/// The same of the pattern.
IoLog calls_in(Pattern const& pattern, Rank rank) {
    IoLog log;
    expand(pattern, rank, [&](Deed const& deed) {
        switch (deed.action) {
            case Action::open:
                ++log[Call::open].count;
                break;
            case Action::close:
                ++log[Call::close].count;
                break;
            case Action::read:
                ++log.read_sizes[deed.length];
                break;
            case Action::write:
                ++log.write_sizes[deed.length];
                break;
            default:
                break;
        }
    });
    return log;
}

TEST(PatternOfRun, IsWhatDumpsDo) {
    auto const world = Communicator::world();
    auto const size = static_cast<Index>(world.size());
    for (auto const method : {Method::two_phase, Method::rank0, Method::independent}) {
        for (Triple const& ranks : {Triple{1, 1, size}, {1, size, 1}, {size, 1, 1}, {2, 1, size / 2}}) {
            if (volume(ranks) != size) {
                continue;
            }
            testing::TemporaryDirectory const directory(world);
            RunShape const run{.cells = {12, 8, 16},
                               .ranks = ranks,
                               .first_step = 3,
                               .steps = 5,
                               .dump_every = 4,
                               .restarted = true,
                               .method = method};
            auto const found = calls_of(run, directory.path());
            auto const expected = calls_in(pattern_of(run), Rank{world.rank()});
            EXPECT_EQ(found[Call::open].count, expected[Call::open].count);
            EXPECT_EQ(found[Call::close].count, expected[Call::close].count);
            EXPECT_EQ(found.read_sizes, expected.read_sizes);
            EXPECT_EQ(found.write_sizes, expected.write_sizes);
        }
    }
}

}  // namespace
}  // namespace weir::cloud
