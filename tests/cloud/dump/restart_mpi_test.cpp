// What a restart gives back, and what is none.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "apps/cloud/problem.hpp"
#include "apps/cloud/simulation.hpp"
#include "cloud/dump/dumps.hpp"
#include "cloud/dump/made_state.hpp"
#include "cloud/same_block.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

constexpr Grid grid{{12, 8, 16}, 1.0 / 12};

class Restart : public ::testing::Test {
  protected:
    Communicator world_ = Communicator::world();
    testing::TemporaryDirectory directory_{world_};
    std::filesystem::path file_ = directory_.path() / restart_name;
    MonotonicClock clock_;
    Decomposition where_{world_, grid};

    void write(State const& state, Method method = Method::two_phase) {
        Dumps(state.where(), directory_.path(), method, clock_).write_restart(state, 1.1);
    }
    State read(Decomposition const& where, Method method = Method::two_phase) {
        return Dumps(where, directory_.path(), method, clock_).read_restart(file_);
    }

    /// What is said of a file with these bytes; the same on all ranks.
    std::string refusal(std::string const& bytes) {
        if (world_.is_root()) {
            std::ofstream(file_, std::ios::binary) << bytes;
        }
        world_.barrier();
        return refusal();
    }
    std::string refusal() {
        try {
            static_cast<void>(read(where_));
        } catch (Error const& error) {
            EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
            EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
            for (auto const& other : world_.all_gather(std::string(error.what()))) {
                EXPECT_EQ(other, error.what());
            }
            return error.what();
        }
        return "accepted";
    }
    std::string good() {
        write(made_state(where_, 3));
        auto bytes = *read_text_file(file_.string());
        world_.barrier();
        return bytes;
    }
};

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST_F(Restart, GivesTheStateBackInSinglePrecision) {
    auto state = made_state(where_, 3);
    Dumps dumps(where_, directory_.path(), Method::two_phase, clock_);
    dumps.write_restart(state, 1.1);
    auto const back = dumps.read_restart(file_);
    EXPECT_TRUE(!world_.is_root() || dumps.header() == (Header{grid.cells, 3, 0.3F, 1.1F}));
    EXPECT_EQ(back.step, 3);
    EXPECT_EQ(back.time, static_cast<double>(0.3F));
    round_to_single(state);
    EXPECT_EQ(state.time, back.time);
    for (std::size_t v = 0; v < 6; ++v) {
        EXPECT_TRUE(std::ranges::equal(state[static_cast<Variable>(v)], back[static_cast<Variable>(v)]));
    }
}

TEST_F(Restart, IsReadOnAnyRanksByAnyMethod) {
    auto const size = static_cast<Index>(world_.size());
    auto whole = made_state({{}, grid}, 3);
    round_to_single(whole);
    for (auto const written : {Method::two_phase, Method::rank0, Method::independent}) {
        write(made_state({world_, grid, Triple{1, size, 1}}, 3), written);
        expect_same_block(read({{}, grid}, written), whole);
        for (auto const method : {Method::two_phase, Method::rank0, Method::independent}) {
            expect_same_block(read({world_, grid, Triple{size, 1, 1}}, method), whole);
        }
        world_.barrier();
    }
    if (world_.is_root()) {
        write(made_state({{}, grid}, 4));
    }
    world_.barrier();
    whole = made_state({{}, grid}, 4);
    round_to_single(whole);
    expect_same_block(read(where_), whole);
}

TEST_F(Restart, ContinuesAsTheRunThatWasRounded) {
    State state(where_);
    fill_random_cloud(state, {});
    Physics physics;
    physics.gravity = RandomCloud{}.gravity(grid);
    physics.stop = {1e-6, 20};
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
    for (std::size_t v = 0; v < 6; ++v) {
        EXPECT_TRUE(std::ranges::equal(on[static_cast<Variable>(v)], again[static_cast<Variable>(v)]));
    }
}

TEST_F(Restart, ThatIsNotThereIsRefused) {
    auto const message = refusal();
    EXPECT_TRUE(has(message, "cannot be opened (No such file or directory)")) << message;
}

TEST_F(Restart, ThatIsADirectoryIsRefused) {
    if (world_.is_root()) {
        std::filesystem::create_directory(file_);
    }
    world_.barrier();
    auto const message = refusal();
    EXPECT_TRUE(has(message, "cannot be read (it is no file)")) << message;
}

TEST_F(Restart, OfAnotherSizeIsRefused) {
    auto const bytes = good();
    auto const cut = refusal(bytes.substr(0, bytes.size() - 1));
    EXPECT_TRUE(has(cut, "has 36887 bytes (a restart file of 12 x 8 x 16 cells has 36888) Was it cut off?")) << cut;
    auto const longer = refusal(bytes + "x");
    EXPECT_TRUE(has(longer, "has 36889 bytes (a restart file of 12 x 8 x 16 cells has 36888)")) << longer;
    auto const tiny = refusal(bytes.substr(0, 23));
    EXPECT_TRUE(has(tiny, "is no restart file (it has 23 bytes, fewer than its header of 24)")) << tiny;
    EXPECT_TRUE(has(refusal(""), "it has 0 bytes"));
    EXPECT_EQ(refusal(bytes), "accepted");
}

TEST_F(Restart, OfOtherCellsIsRefused) {
    auto const bytes = good();
    where_ = Decomposition(world_, {{8, 12, 16}, grid.spacing});
    auto const message = refusal(bytes);
    EXPECT_TRUE(has(message, "is of a grid of 12 x 8 x 16 cells (this run has 8 x 12 x 16)")) << message;
}

TEST_F(Restart, OfTheOtherByteOrderIsRefused) {
    auto bytes = good();
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(i + 4));
    }
    auto const message = refusal(bytes);
    EXPECT_TRUE(has(message, "is of a machine of the other byte order")) << message;
}

TEST_F(Restart, ThatIsAnythingElseIsRefused) {
    auto const text = refusal("This is a text of a hundred letters, or a little fewer, and no restart file at all.");
    EXPECT_TRUE(has(text, "is no restart file (it begins with the numbers ")) << text;
    EXPECT_TRUE(has(refusal(std::string(36888, '\0')), "is no restart file (it begins with the numbers 0, 0, 0"));
}

}  // namespace
}  // namespace weir::cloud
