#include "apps/aquifer/flow/mesh.hpp"

#include <gtest/gtest.h>

namespace weir::aquifer {
namespace {

TEST(MeshOnRanks, PetscsBlocksAreThoseOfTheModel) {
    auto const world = Communicator::world();
    for (auto const& cells : {Triple{7, 5, 9}, Triple{4, 4, 4}, Triple{1, 11, 2}, Triple{23, 1, 1}}) {
        Box const box{cells, {1, 1, 1}};
        Mesh const mesh(world, box);
        auto const block = block_of(box, ranks_for(cells, world.size()), world.rank());
        EXPECT_EQ(mesh.block().start, block.start);
        EXPECT_EQ(mesh.block().cells, block.cells);
        EXPECT_EQ(mesh.block().ghosted_start, block.ghosted_start);
        EXPECT_EQ(mesh.block().ghosted, block.ghosted);
    }
}

}  // namespace
}  // namespace weir::aquifer
