// The template application: its physics against the exact factor of its scheme, its dumps through every back-end.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "apps/common/run/one_run.hpp"
#include "apps/template/heat_files.hpp"
#include "core/error.hpp"
#include "support/mpi/on_root.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/temporary_directory.hpp"

namespace weir::heat {
namespace {

constexpr Triple cells{16, 8, 24};

std::vector<double> values_of(Heat& heat) {
    std::vector<double> values;
    heat.each_cell([&](double u) { values.push_back(u); });
    return values;
}

/// A wave is an eigenvector of the scheme: LeVeque (2007), section 9.5.
TEST(HeatStep, ShrinksAWaveByTheFactorOfItsScheme) {
    auto const comm = Communicator::world();
    Heat heat(comm, cells);
    auto const before = values_of(heat);
    constexpr int steps = 20;
    for (int step = 0; step < steps; ++step) {
        heat.advance();
    }
    double factor = 1;
    for (auto const n : cells) {
        auto const sine = std::sin(std::numbers::pi / static_cast<double>(n));
        factor -= 4.0 / 12 * sine * sine;
    }
    auto const after = values_of(heat);
    for (std::size_t i = 0; i < after.size(); ++i) {
        ASSERT_NEAR(after[i] - 1, (before[i] - 1) * std::pow(factor, steps), 1e-14);
    }
}

class HeatDumps : public testing::EachBackend {
  protected:
    void SetUp() override {
        WEIR_NEEDS(stores);
        EachBackend::SetUp();
    }
    /// Refuses every file that it has not made.
    [[nodiscard]] DumpWriter cycle(std::filesystem::path const& place, bool collective = true) {
        return {files_of(cells, comm.size()),
                other_strategy(GetParam(), backend, collective),
                [](std::filesystem::path const& path, DumpStrategy const&) {
                    validate(!std::filesystem::exists(path), "", "", "");
                },
                comm,
                place,
                clock};
    }
};

TEST_P(HeatDumps, AreGoneOnFromBitByBit) {
    for (bool const collective : {true, false}) {
        testing::TemporaryDirectory const own{comm};
        auto files = cycle(own.path(), collective);
        HeatProgram first(comm, cells);
        first.make_step();
        first.make_step();
        files.dump(first);
        first.make_step();
        HeatProgram second(comm, cells);
        files.restart(second);
        EXPECT_EQ(second.step(), 2U);
        second.make_step();
        EXPECT_EQ(values_of(second.heat()), values_of(first.heat()));
    }
}

TEST_P(HeatDumps, ReplaceOnlyWhatTheRunHasMade) {
    HeatProgram program(comm, cells);
    {
        auto files = cycle(directory.path());
        files.dump(program);
        program.make_step();
        EXPECT_NO_THROW(files.dump(program));
        EXPECT_EQ(directory.entries(), 3) << "the restart, and a picture of each";
    }
    EXPECT_THROW(cycle(directory.path()).dump(program), Error);
}

TEST_P(HeatDumps, AreRefusedBeforeTheRunWhereAFileIsInTheWay) {
    testing::on_root(comm, [&] { std::ofstream(directory.path() / "temperature-000004") << "mine"; });
    auto files = cycle(directory.path());
    EXPECT_THROW(files.check_places({.steps = 4, .every = 2}), Error);
    EXPECT_NO_THROW(files.check_places({.steps = 3, .every = 2}));
    EXPECT_NO_THROW(files.check_places({.first = 4, .steps = 4, .every = 2})) << "that is behind it";
}

INSTANTIATE_TEST_SUITE_P(Backends, HeatDumps, ::testing::ValuesIn(testing::all_backends()), testing::by_name);

}  // namespace
}  // namespace weir::heat
