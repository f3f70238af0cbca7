#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "apps/cloud/dump/cloud_program.hpp"
#include "apps/cloud/dump/header.hpp"
#include "apps/common/run/one_run.hpp"
#include "comm/collective_error.hpp"
#include "core/enum_names.hpp"

namespace weir::cloud {

/// The I/O of a run, apart from what it computes.
struct RunShape {
    Triple cells{};
    Triple ranks{};        ///< along x, y, z
    Index first_step = 0;  ///< of the restart
    Index steps = 0;
    Index dump_every = 0;
    bool restarted = false;
    DumpMethod method = DumpMethod::two_phase;
};

/// For tests of each method: what they are given, and how they are called.
inline auto const every_method = ::testing::Values(DumpMethod::two_phase, DumpMethod::rank0, DumpMethod::independent);
inline std::string by_method(::testing::TestParamInfo<DumpMethod> const& method) {
    std::string name(to_text(method.param));
    std::erase(name, '-');
    return name;
}

constexpr bool dumps_after(Index step, Index dump_every) { return dump_every > 0 && step % dump_every == 0; }

inline Index dumps_of(RunShape const& run) {
    Index count = 0;
    for (Index step = run.first_step + 1; step <= run.first_step + run.steps; ++step) {
        count += dumps_after(step, run.dump_every) ? 1 : 0;
    }
    return count;
}

/// What a run through the two-phase library asks for.
inline Pattern pattern_of(RunShape const& run) {
    auto const plan = files_of(run.cells, ranks_along({run.cells, 1.0}, volume(run.ranks), run.ranks));
    check_planes(run.method, plan.shape);
    auto const asked =
        pattern_of_dumps(plan,
                         {static_cast<std::uint64_t>(run.first_step), static_cast<std::uint64_t>(run.steps),
                          static_cast<std::uint64_t>(run.dump_every)},
                         run.restarted);
    return lowered(asked, lowering_for(run.method, asked));
}

/// A file of a dump by the paper's section 3.2, told without the code that makes it.
struct DumpFile {
    std::string name;
    std::uint64_t arrays = 6;
    std::uint64_t element_bytes = 4;
};

inline std::vector<DumpFile> files_of_dump(Index step) {
    std::vector<DumpFile> files{{fmt::format("analysis-{:06}", step)}, {"restart"}};
    for (auto const* picture : {"density", "pressure", "speed", "potential"}) {
        files.push_back({fmt::format("{}-{:06}", picture, step), 1, 1});
    }
    return files;
}

/// Dumps of states that no run has made.
class Dumps {
  public:
    Dumps(Decomposition const& where, std::filesystem::path directory, DumpMethod method, Clock& clock)
        : Dumps(where, std::move(directory), library_strategy(method, plan_of(where).shape), clock) {}
    Dumps(Decomposition const& where, std::filesystem::path directory, DumpStrategy strategy, Clock& clock)
        : where_(where),
          strategy_(std::move(strategy)),
          cycle_(plan_of(where), strategy_, check_place_of_dump, where.comm(), std::move(directory), clock) {}

    void write(State const& state, double gamma) {
        auto program = program_of(state, gamma, false);
        cycle_.dump(program);
    }
    void write_restart(State const& state, double gamma) {
        auto program = program_of(state, gamma, false);
        cycle_.dump_restart(program);
    }
    State read_restart(std::filesystem::path const& path, double gamma = 1.1) {
        run_together(where_.comm(), [&] {
            if (where_.comm().is_root()) {
                header_ = restart_header({path, strategy_}, where_.grid().cells, gamma);
            }
        });
        auto program = program_of(State(where_), gamma, true);
        cycle_.restart(program, path);
        program.begin();
        return program.state();
    }
    [[nodiscard]] Header const& header() const { return header_; }
    [[nodiscard]] Tally const& log() const { return cycle_.calls(); }
    void clear_log() { cycle_.forget(); }

  private:
    static DumpPlan plan_of(Decomposition const& where) { return files_of(where.grid().cells, where.ranks()); }
    static CloudProgram program_of(State state, double gamma, bool goes_on) {
        Physics physics;
        physics.gas.gamma = gamma;
        return {std::move(state), {physics, false, false, goes_on}};
    }

    Decomposition where_;
    DumpStrategy strategy_;
    DumpWriter cycle_;
    Header header_{};
};

/// A message, which must be the same on all ranks. Collective.
inline std::string same_on_all(Communicator const& comm, std::string const& message) {
    for (auto const& other : comm.all_gather(message)) {
        EXPECT_EQ(other, message);
    }
    return message;
}

}  // namespace weir::cloud
