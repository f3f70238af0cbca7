// The bytes of dumps against files that are put together here, cell by cell.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "cloud/dump/dumps.hpp"
#include "cloud/dump/made_state.hpp"
#include "cloud/dump/triples_of.hpp"
#include "core/enum_names.hpp"
#include "core/text_file.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

constexpr Triple cells{8, 12, 16};
constexpr Grid grid{cells, 0.1};
constexpr double gamma_of_gas = 1.4;

void append(std::string& file, float x) { file.append(reinterpret_cast<char const*>(&x), sizeof x); }

std::string header_bytes_of(State const& state) {
    std::string file;
    for (auto const n : state.where().grid().cells) {
        append(file, static_cast<float>(n));
    }
    append(file, static_cast<float>(state.step));
    append(file, static_cast<float>(state.time));
    append(file, static_cast<float>(gamma_of_gas));
    return file;
}

std::string numbers_file(State const& whole) {
    auto file = header_bytes_of(whole);
    for (std::size_t v = 0; v < 6; ++v) {
        for (auto const x : whole[static_cast<Variable>(v)]) {
            append(file, static_cast<float>(x));
        }
    }
    return file;
}

std::string picture_file(State const& whole, std::vector<double> const& values) {
    auto file = header_bytes_of(whole);
    auto const [least, greatest] = std::ranges::minmax(values);
    for (auto const x : values) {
        file.push_back(static_cast<char>(std::lround((x - least) / (greatest - least) * 255)));
    }
    return file;
}

/// What each file of a dump holds.
std::map<std::string, std::string> files_of(State const& whole) {
    std::vector<double> log_rho;
    std::vector<double> speed;
    auto const rho = whole[Variable::density];
    for (std::size_t i = 0; i < rho.size(); ++i) {
        auto const at = [&](Variable v) { return whole[v][i]; };
        log_rho.push_back(std::log(rho[i]));
        speed.push_back(std::sqrt(at(Variable::velocity_x) * at(Variable::velocity_x) +
                                  at(Variable::velocity_y) * at(Variable::velocity_y) +
                                  at(Variable::velocity_z) * at(Variable::velocity_z)));
    }
    auto const list = [&](Variable v) { return std::vector<double>(whole[v].begin(), whole[v].end()); };
    return {{"analysis-000007", numbers_file(whole)},
            {"restart", numbers_file(whole)},
            {"density-000007", picture_file(whole, log_rho)},
            {"pressure-000007", picture_file(whole, list(Variable::pressure))},
            {"speed-000007", picture_file(whole, speed)},
            {"potential-000007", picture_file(whole, list(Variable::potential))}};
}

class DumpFiles : public ::testing::TestWithParam<DumpMethod> {
  protected:
    Communicator world_ = Communicator::world();
    MonotonicClock clock_;
};

TEST_P(DumpFiles, HoldTheSameBytesOnAnyRanks) {
    auto const expected = files_of(made_state({{}, grid}, 7));
    for (auto const& ranks : triples_of(static_cast<Index>(world_.size()))) {
        testing::TemporaryDirectory const directory(world_);
        Decomposition const where(world_, grid, ranks);
        Dumps dumps(where, directory.path(), GetParam(), clock_);
        dumps.write(made_state(where, 7), gamma_of_gas);
        EXPECT_EQ(directory.entries(), 6);
        for (auto const& [name, bytes] : expected) {
            auto const there = read_text_file((directory.path() / name).string());
            ASSERT_TRUE(there.has_value()) << name;
            EXPECT_TRUE(*there == bytes) << name << " differs on " << ranks[0] << " x " << ranks[1] << " x "
                                         << ranks[2];
        }
    }
}

TEST_P(DumpFiles, ReplaceTheRestartAndKeepTheRest) {
    testing::TemporaryDirectory const directory(world_);
    Decomposition const where(world_, grid);
    Dumps dumps(where, directory.path(), GetParam(), clock_);
    for (Index const step : {6, 7}) {
        dumps.write(made_state(where, step), gamma_of_gas);
    }
    EXPECT_EQ(directory.entries(), 11);
    auto const restart = read_text_file((directory.path() / "restart").string());
    EXPECT_TRUE(restart == numbers_file(made_state({{}, grid}, 7)));
}

INSTANTIATE_TEST_SUITE_P(Methods, DumpFiles, every_method, by_method);

TEST(Pictures, OfOneValueAreBlackAndThoseWithoutALogarithmToo) {
    auto const world = Communicator::world();
    testing::TemporaryDirectory const directory(world);
    MonotonicClock clock;
    Decomposition const where(world, grid);
    State state(where);
    std::ranges::fill(state[Variable::pressure], 3.0);
    std::ranges::fill(state[Variable::density], 2.0);
    state[Variable::density][0] = -1;
    Dumps dumps(where, directory.path(), DumpMethod::two_phase, clock);
    dumps.write(state, gamma_of_gas);
    for (auto const* name : {"pressure-000000", "density-000000"}) {
        auto const file = read_text_file((directory.path() / name).string());
        EXPECT_EQ(file->substr(24), std::string(static_cast<std::size_t>(volume(cells)), '\0'));
    }
}

}  // namespace
}  // namespace weir::cloud
