// What a restart gives back, and what is none.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "apps/cloud/problem.hpp"
#include "apps/cloud/simulation.hpp"
#include "cloud/dump/dumps.hpp"
#include "cloud/dump/made_state.hpp"
#include "cloud/same_block.hpp"
#include "core/text_file.hpp"
#include "support/failures/error_of.hpp"
#include "support/mpi/on_root.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

constexpr Grid restart_grid{{12, 8, 16}, 1.0 / 12};

class Restart : public ::testing::Test {
  protected:
    Communicator world_ = Communicator::world();
    testing::TemporaryDirectory directory_{world_};
    std::filesystem::path file_ = directory_.path() / restart_name;
    MonotonicClock clock_;
    Decomposition where_{world_, restart_grid};

    void write(State const& state, DumpMethod method = DumpMethod::two_phase) {
        Dumps(state.where(), directory_.path(), method, clock_).write_restart(state, 1.1);
    }
    State read(Decomposition const& where, DumpMethod method = DumpMethod::two_phase) {
        return Dumps(where, directory_.path(), method, clock_).read_restart(file_);
    }

    /// What is said of a file with these bytes; the same on all ranks.
    std::string refusal(std::string const& bytes) {
        testing::on_root(world_, [&] { std::ofstream(file_, std::ios::binary) << bytes; });
        return refusal();
    }
    std::string refusal() {
        std::string const message =
            Error(testing::refusal_of(ExitCode::usage, [&] { static_cast<void>(read(where_)); })).what();
        EXPECT_TRUE(message.empty() || testing::has(message, file_.string()));
        return same_on_all(world_, message);
    }
    std::string good() {
        write(made_state(where_, 3));
        auto bytes = *read_text_file(file_.string());
        world_.barrier();
        return bytes;
    }
};

using testing::has;

void expect_equal(State const& one, State const& other) {
    for (std::size_t v = 0; v < 6; ++v) {
        EXPECT_TRUE(std::ranges::equal(one[static_cast<Variable>(v)], other[static_cast<Variable>(v)]));
    }
}

TEST_F(Restart, GivesTheStateBackInSinglePrecision) {
    auto state = made_state(where_, 3);
    Dumps dumps(where_, directory_.path(), DumpMethod::two_phase, clock_);
    dumps.write_restart(state, 1.1);
    auto const back = dumps.read_restart(file_);
    EXPECT_TRUE(!world_.is_root() || dumps.header() == (Header{restart_grid.cells, 3, 0.3F, 1.1F}));
    EXPECT_EQ(back.step, 3);
    EXPECT_EQ(back.time, static_cast<double>(0.3F));
    round_to_single(state);
    EXPECT_EQ(state.time, back.time);
    expect_equal(back, state);
}

TEST_F(Restart, IsReadOnAnyRanksByAnyMethod) {
    auto const size = static_cast<Index>(world_.size());
    auto whole = made_state({{}, restart_grid}, 3);
    round_to_single(whole);
    for (auto const written : {DumpMethod::two_phase, DumpMethod::rank0, DumpMethod::independent}) {
        write(made_state({world_, restart_grid, Triple{1, size, 1}}, 3), written);
        expect_same_block(read({{}, restart_grid}, written), whole);
        for (auto const method : {DumpMethod::two_phase, DumpMethod::rank0, DumpMethod::independent}) {
            expect_same_block(read({world_, restart_grid, Triple{size, 1, 1}}, method), whole);
        }
        world_.barrier();
    }
    testing::on_root(world_, [&] { write(made_state({{}, restart_grid}, 4)); });
    whole = made_state({{}, restart_grid}, 4);
    round_to_single(whole);
    expect_same_block(read(where_), whole);
}

TEST_F(Restart, ContinuesAsTheRunThatWasRounded) {
    State state(where_);
    fill_random_cloud(state, {});
    Physics const physics{.gas = {}, .gravity = RandomCloud{}.gravity(restart_grid), .stop = {1e-6, 20}};
    auto const stepped = [&](State from, int steps) {
        Simulation run(std::move(from), physics);
        for (int i = 0; i < steps; ++i) {
            run.step();
        }
        return run.state();
    };
    state = stepped(std::move(state), 3);
    write(state);
    round_to_single(state);
    auto const on = stepped(std::move(state), 3);
    auto const again = stepped(read(where_), 3);
    EXPECT_EQ(on.time, again.time);
    EXPECT_EQ(on.step, again.step);
    expect_equal(again, on);
}

TEST_F(Restart, ThatIsNotThereIsRefused) {
    EXPECT_TRUE(has(refusal(), "cannot be opened (No such file or directory)"));
}

TEST_F(Restart, ThatIsADirectoryIsRefused) {
    testing::on_root(world_, [&] { std::filesystem::create_directory(file_); });
    EXPECT_TRUE(has(refusal(), "cannot be read (it is no regular file)"));
}

TEST_F(Restart, OfAnotherSizeIsRefused) {
    auto const bytes = good();
    EXPECT_TRUE(has(refusal(bytes.substr(0, bytes.size() - 1)),
                    "has 36887 bytes (a restart file of 12 x 8 x 16 cells has 36888). Was it cut off?"));
    EXPECT_TRUE(has(refusal(bytes + "x"), "has 36889 bytes (a restart file of 12 x 8 x 16 cells has 36888)"));
    EXPECT_TRUE(has(refusal(bytes.substr(0, 23)), "is no restart file (it has 23 bytes, fewer than its header of 24)"));
    EXPECT_TRUE(has(refusal(""), "it has 0 bytes"));
    EXPECT_EQ(refusal(bytes), "");
}

TEST_F(Restart, OfOtherCellsIsRefused) {
    auto const bytes = good();
    where_ = Decomposition(world_, {{8, 12, 16}, restart_grid.spacing});
    EXPECT_TRUE(has(refusal(bytes), "is of a grid of 12 x 8 x 16 cells (this run has 8 x 12 x 16)"));
}

TEST_F(Restart, OfTheOtherByteOrderIsRefused) {
    auto bytes = good();
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(i + 4));
    }
    EXPECT_TRUE(has(refusal(bytes), "is of a machine of the other byte order"));
}

TEST_F(Restart, ThatIsAnythingElseIsRefused) {
    EXPECT_TRUE(has(refusal("This is a text of a hundred letters, or a little fewer, and no restart file at all."),
                    "is no restart file (it begins with the numbers "));
    EXPECT_TRUE(has(refusal(std::string(36888, '\0')), "is no restart file (it begins with the numbers 0, 0, 0"));
}

}  // namespace
}  // namespace weir::cloud
