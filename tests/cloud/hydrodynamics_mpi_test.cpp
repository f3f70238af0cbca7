#include <gtest/gtest.h>

#include <cmath>

#include "apps/cloud/hydrodynamics.hpp"
#include "cloud/same_block.hpp"
#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir::cloud {
namespace {

constexpr Grid blast_grid{{20, 16, 24}, 1.0 / 16};

/// Shocks and waves that are alike in no direction.
State blast(Communicator const& comm, std::optional<Triple> const& ranks) {
    State state(Decomposition(comm, blast_grid, ranks));
    fill(state, [](double x, double y, double z) -> std::array<double, 5> {
        auto const inside = x * x + y * y + 0.7 * z * z < 0.4;
        return {1 + 0.3 * std::sin(5 * x + 3 * y), 0.2 * std::cos(7 * z), 0.1 * x, -0.1 * y, inside ? 10.0 : 1.0};
    });
    return state;
}

void run(State& state, RiemannSolver riemann) {
    Hydrodynamics hydro(state.where(), {.riemann = riemann});
    for (; state.step < 6; ++state.step) {
        hydro.advance(state, hydro.time_step(state), state.step % 2 == 0 ? SweepOrder::xyz : SweepOrder::zyx);
    }
}

/// A way to put this many ranks along one axis, where the axis can be cut so.
std::vector<std::optional<Triple>> ways_to_cut(Index size) {
    std::vector<std::optional<Triple>> ways{std::nullopt};
    for (std::size_t axis = 0; axis < axes; ++axis) {
        Triple ranks{1, 1, 1};
        ranks[axis] = size;
        ways.emplace_back(ranks);
    }
    return ways;
}

TEST(HydrodynamicsOnRanks, IsBitwiseThatOfOneRank) {
    auto const world = Communicator::world();
    for (auto const riemann : {RiemannSolver::hllc, RiemannSolver::two_shock}) {
        auto whole = blast({}, {});
        run(whole, riemann);
        for (auto const& ranks : ways_to_cut(static_cast<Index>(world.size()))) {
            auto state = blast(world, ranks);
            run(state, riemann);
            expect_same_block(state, whole);
        }
    }
}

TEST(HydrodynamicsOnRanks, FailsOnAllRanksIfItFailsOnOne) {
    auto state = blast(Communicator::world(), {});
    if (state.where().comm().is_root()) {
        state[Variable::pressure][0] = -1;
    }
    Hydrodynamics hydro(state.where(), Gas{});
    EXPECT_THROW(hydro.advance(state, 1e-3, SweepOrder::xyz), Error);
}

TEST(DecompositionOnRanks, RefusesAGridThatRanksDoNotDivide) {
    auto const world = Communicator::world();
    if (world.size() > 1) {
        testing::expect_error(ExitCode::usage, "9 x 9 x 9", [&] { Decomposition(world, {{9, 9, 9}, 1}); });
    }
}

}  // namespace
}  // namespace weir::cloud
