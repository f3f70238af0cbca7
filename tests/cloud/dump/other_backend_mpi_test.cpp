// Dumps through any back-end: what is read back is what was written, on other ranks too, and files of plain bytes are
// those of the two-phase library.

#include <gtest/gtest.h>

#include <fstream>

#include "cloud/dump/dumps.hpp"
#include "cloud/dump/made_state.hpp"
#include "cloud/same_block.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
#include "support/failures/error_of.hpp"
#include "support/mpi/on_root.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

constexpr Grid odd_grid{{8, 12, 24}, 1.0 / 8};

class DumpsThrough : public weir::testing::EachBackend {
  protected:
    void SetUp() override {
        WEIR_NEEDS(stores);
        EachBackend::SetUp();
        other_ = other_strategy(GetParam(), backend, true);
    }

    /// The ranks that stand behind one another along this axis.
    [[nodiscard]] Decomposition along(std::size_t axis) const {
        Triple ranks{1, 1, 1};
        ranks.at(axis) = static_cast<Index>(comm.size());
        return {comm, odd_grid, ranks};
    }
    [[nodiscard]] Dumps dumps(Decomposition const& where, bool collective) {
        auto other = other_;
        other.collective = other.collective && collective;
        return {where, directory.path(), other, clock};
    }

    DumpStrategy other_;
};

TEST_P(DumpsThrough, AreReadBackOnOtherBlocks) {
    for (bool const collective : {true, false}) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto const step = static_cast<Index>(7 + axis);
            dumps(along(axis), collective).write(made_state(along(axis), step), 1.1);
            auto const other = along((axis + 1) % 3);
            auto const found = dumps(other, !collective).read_restart(directory.path() / restart_name);
            auto expected = made_state(Decomposition({}, odd_grid, Triple{1, 1, 1}), step);
            round_to_single(expected);
            EXPECT_EQ(found.step, expected.step);
            EXPECT_EQ(found.time, expected.time);
            expect_same_block(found, expected);
        }
    }
}

TEST_P(DumpsThrough, AreTheFilesOfTheLibraryWhereTheyArePlainBytes) {
    WEIR_SKIP_IF(!other_.bytes) << "it has a format of its own";
    auto const where = along(2);
    testing::TemporaryDirectory library{comm};
    dumps(where, true).write(made_state(where, 5), 1.1);
    Dumps(where, library.path(), DumpMethod::two_phase, clock).write(made_state(where, 5), 1.1);
    comm.barrier();
    for (auto const& file : files_of_dump(5)) {
        EXPECT_EQ(read_text_file((directory.path() / file.name).string()),
                  read_text_file((library.path() / file.name).string()))
            << file.name;
    }
}

TEST_P(DumpsThrough, ReplaceNothingButDumps) {
    auto const where = along(0);
    auto const file = directory.path() / "speed-000005";
    dumps(where, true).write(made_state(where, 5), 1.1);
    EXPECT_NO_THROW(dumps(where, true).write(made_state(where, 5), 1.1)) << "those before go";
    testing::on_root(comm, [&] { std::ofstream(file) << "a user's own notes, which no dump may replace"; });
    EXPECT_THROW(dumps(where, true).write(made_state(where, 5), 1.1), Error);
    EXPECT_EQ(read_text_file(file.string())->substr(0, 6), "a user");
}

TEST_P(DumpsThrough, RefuseARestartOfOtherCells) {
    dumps(along(1), true).write_restart(made_state(along(1), 5), 1.1);
    Decomposition const smaller(comm, {{8, 12, 12}, 1.0 / 8}, along(1).ranks());
    auto const error = testing::error_of(
        [&] { static_cast<void>(dumps(smaller, true).read_restart(directory.path() / restart_name)); });
    EXPECT_TRUE(testing::has(error.what(), "8 x 12 x 24"));
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
}

TEST_P(DumpsThrough, RefuseAPictureAsARestart) {
    dumps(along(1), true).write(made_state(along(1), 5), 1.1);
    testing::expect_error(ExitCode::usage, "", [&] {
        static_cast<void>(dumps(along(1), true).read_restart(directory.path() / "density-000005"));
    });
}

INSTANTIATE_TEST_SUITE_P(Backends, DumpsThrough, ::testing::ValuesIn(testing::all_backends()), testing::by_name);

}  // namespace
}  // namespace weir::cloud
