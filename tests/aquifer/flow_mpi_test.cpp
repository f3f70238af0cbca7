#include <gtest/gtest.h>

#include <cmath>

#include "aquifer/column.hpp"
#include "core/error.hpp"

namespace weir::aquifer {
namespace {

/// A few steps of rain, a well and a tracer on these ranks.
struct FewSteps {
    Mesh mesh;
    Richards richards;
    Transport transport;

    static Flow flow() {
        Flow flow{.soils = {{.alpha = 3, .n = 1.8, .specific_storage = 1e-3}}, .wells = {{{5, 1, 1}, -1e-6}}};
        flow.sides[0] = {BoxSide::Condition::head, 1};
        flow.sides[5] = {BoxSide::Condition::inflow, 1e-6};
        return flow;
    }
    static Species tracer() {
        Species tracer{.name = "tracer", .diffusion = 1e-9, .dispersivity = 0.1};
        tracer.at_sides[5] = 1;
        return tracer;
    }
    static Ground ground(Mesh const& mesh) {
        auto ground = uniform(mesh, 1e-5);
        auto const x = centres(mesh, 0);
        auto const z = centres(mesh, 2);
        for (std::size_t i = 0; i < x.size(); ++i) {
            ground.conductivity[i] *= std::exp(std::sin(3 * x[i]) + std::cos(5 * z[i]));
        }
        return ground;
    }
    explicit FewSteps(Communicator const& comm)
        : mesh(comm, {{7, 5, 9}, {1, 1, 0.25}}),
          richards(mesh, flow(), ground(mesh), values(centres(mesh, 2), [](double z) { return 1 - z; })),
          transport(mesh, {tracer()}, flow().wells) {
        for (int step = 0; step < 5; ++step) {
            auto const before = richards.water();
            EXPECT_TRUE(richards.step(1800).converged);
            transport.step({1800, before, richards.water(), richards});
            EXPECT_LT(richards.balance().error(), 1e-10);
            EXPECT_LT(transport.balance(0).error(), 1e-10);
        }
    }
};

TEST(FlowOnRanks, IsThatOfOneRank) {
    FewSteps const alone{{}};
    FewSteps const shared{Communicator::world()};
    auto const& block = shared.mesh.block();
    auto const heads = alone.richards.heads();
    auto const own = shared.richards.heads();
    std::size_t i = 0;
    for (Index z = 0; z < block.cells[2]; ++z) {
        for (Index y = 0; y < block.cells[1]; ++y) {
            for (Index x = 0; x < block.cells[0]; ++x, ++i) {
                auto const there =
                    *alone.mesh.block().own({block.start[0] + x, block.start[1] + y, block.start[2] + z});
                EXPECT_NEAR(own[i], heads[there], 1e-9);
                EXPECT_NEAR(shared.transport.concentrations(0)[i], alone.transport.concentrations(0)[there], 1e-9);
            }
        }
    }
    EXPECT_EQ(i, block.count());
    EXPECT_NEAR(shared.richards.balance().after, alone.richards.balance().after, 1e-9);
}

TEST(FlowOnRanks, EveryFaceAtASideIsCountedOnce) {
    FewSteps const shared{Communicator::world()};
    auto const rain = 1e-6 * 7 * 5 * 1800;
    EXPECT_LT(shared.richards.balance().entered, rain);
    EXPECT_GE(shared.richards.balance().moved, rain);
}

TEST(FlowOnRanks, MoreRanksThanCellsAreRefused) {
    auto const comm = Communicator::world();
    if (comm.size() > 1) {
        EXPECT_THROW(Mesh(comm, {{1, 1, 1}, {1, 1, 1}}), Error);
    }
}

}  // namespace
}  // namespace weir::aquifer
