#include "apps/aquifer/io/input_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "apps/aquifer/io/input_maker.hpp"
#include "core/error.hpp"

namespace weir::aquifer {
namespace {

struct AquiferInput : testing::Test {
    Communicator const comm = Communicator::world();
    FileShape const shape{.box = {{7, 5, 8}, {10, 10, 1}}, .species = {}};
    InputSettings settings{.permuted = true};

    [[nodiscard]] std::vector<std::byte> array(InputArray which) const {
        auto const plan = plan_of(shape, comm.size(), 0, true);
        std::vector<std::byte> data(bytes_of(plan.shape.files[0].arrays[static_cast<std::size_t>(which)]));
        InputMaker(shape, settings).fill(which, 0, data);
        return data;
    }

    /// Takes the arrays as PFLOTRAN reads them, after `spoil` has had its way with each.
    InputData read(std::function<void(InputArray, std::vector<std::byte>&)> const& spoil) const {
        InputReader reader(comm, shape.box);
        for (std::size_t i = 0; i < 6; ++i) {
            auto const which = static_cast<InputArray>(i);
            auto data = array(which);
            spoil(which, data);
            auto const element = which == InputArray::permeability ? 8U : 4U;
            auto const count = data.size() / element;
            auto const same = which == InputArray::material_cells || which == InputArray::materials;
            auto const first = same ? 0 : count * comm.rank() / comm.size();
            auto const end = same ? count : count * (comm.rank() + 1) / comm.size();
            reader.take(which, first, std::span(data).subspan(first * element, (end - first) * element));
        }
        return reader.conclude();
    }

    /// Sets one element of 4 bytes, and expects a refusal with these words on all ranks.
    void refuses(InputArray which, std::size_t place, std::int32_t value, std::string const& words) const {
        try {
            read([&](InputArray one, std::vector<std::byte>& data) {
                if (one == which) {
                    std::memcpy(data.data() + 4 * place, &value, 4);
                }
            });
            ADD_FAILURE() << "accepted, and not " << words;
        } catch (Error const& error) {
            EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    }
    [[nodiscard]] std::int32_t id_at(InputArray which, std::size_t place) const {
        std::int32_t id = 0;
        std::memcpy(&id, array(which).data() + 4 * place, 4);
        return id;
    }
};

TEST_F(AquiferInput, BringsEachCellItsValues) {
    for (bool const permuted : {false, true}) {
        settings.permuted = permuted;
        auto const data = read([](InputArray, std::vector<std::byte>&) {});
        InputMaker const made(shape, settings);
        auto const block = block_of(shape.box, ranks_for(shape.box.cells, comm.size()), comm.rank());
        for (std::size_t own = 0; own < block.count(); ++own) {
            auto const in = cell_of(block.cells, own);
            auto const cell =
                index_of(shape.box.cells, {block.start[0] + in[0], block.start[1] + in[1], block.start[2] + in[2]});
            EXPECT_EQ(data.permeability[own], made.permeability(cell));
            EXPECT_EQ(data.material[own], made.material(cell));
        }
        EXPECT_EQ(data.well, well_cells(shape.box.cells));
        EXPECT_EQ(data.source, source_cells(shape.box.cells));
    }
}

/// The order of permeabilities was that of materials of the next seed.
TEST_F(AquiferInput, OrdersCellsAnewWithEachSeed) {
    std::set<std::vector<std::byte>> orders;
    for (settings.seed = 0; settings.seed < 8; ++settings.seed) {
        EXPECT_TRUE(orders.insert(array(InputArray::material_cells)).second) << settings.seed;
        EXPECT_TRUE(orders.insert(array(InputArray::cells)).second) << settings.seed;
    }
}

TEST_F(AquiferInput, RefusesWrongIds) {
    refuses(InputArray::material_cells, 3, 0, "'Materials/Cell Ids' has an id out of range: 0");
    refuses(InputArray::cells, 279, 281, "'Cell Ids' has an id out of range: 281");
    refuses(InputArray::material_cells, 3, id_at(InputArray::material_cells, 100), "twice");
    refuses(InputArray::cells, 3, id_at(InputArray::cells, 100), "twice");
    refuses(InputArray::materials, 9, 0, "has a material 0");
    refuses(InputArray::well, 1, -5, "'Regions/Well/Cell Ids' has an id out of range: -5");
    refuses(InputArray::well, 1, id_at(InputArray::well, 0), "twice");
    refuses(InputArray::source, 3, id_at(InputArray::source, 0), "'Regions/Source/Cell Ids' has the id");
}

TEST_F(AquiferInput, RefusesPermeabilitiesThatAreNone) {
    for (double const wrong : {std::nan(""), 0.0, -1e-12, std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW(read([&](InputArray one, std::vector<std::byte>& data) {
                         if (one == InputArray::permeability) {
                             std::memcpy(data.data() + 8, &wrong, 8);
                         }
                     }),
                     Error)
            << wrong;
    }
}

TEST(RandomFieldOfAnAquifer, HasItsMeanSpreadAndCorrelation) {
    double sum = 0;
    double squares = 0;
    double apart = 0;
    constexpr int fields = 2000;
    for (std::uint64_t seed = 0; seed < fields; ++seed) {
        RandomField const field({100, 100, 2}, seed);
        auto const here = field.at({50, 20, 1});
        sum += here;
        squares += here * here;
        apart += here * field.at({150, 20, 1});
    }
    EXPECT_NEAR(sum / fields, 0, 0.1);
    EXPECT_NEAR(squares / fields, 1, 0.1);
    EXPECT_NEAR(apart / fields, std::exp(-0.5), 0.1) << "one correlation length apart";
}

}  // namespace
}  // namespace weir::aquifer
