// What the gas-cloud code costs a cell on one core, against half of what a scalar prototype took.

#include <cmath>
#include <ctime>
#include <numbers>

#include "apps/cloud/hydrodynamics.hpp"
#include "apps/cloud/poisson_multigrid.hpp"
#include "performance/measure.hpp"

using namespace weir;
using namespace weir::cloud;

namespace {

constexpr int repetitions = 11;

/// Seconds of this core that `work` takes; other programs on the machine do not count.
template <class Work>
double core_seconds(Work work) {
    auto const now_s = [] {
        timespec t{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    auto const start = now_s();
    work();
    return now_s() - start;
}

/// A block as each rank of the paper's runs has it: waves in all directions.
State smooth_state() {
    State state(Decomposition({}, {{64, 64, 32}, 1.0 / 64}));
    fill(state, [](double x, double y, double z) -> std::array<double, 5> {
        auto const wave = [](double at) { return std::sin(2 * std::numbers::pi * at); };
        return {1 + 0.1 * wave(x) * wave(y), 0.1 * wave(y), 0.1 * wave(2 * z), 0.1 * wave(x),
                1 + 0.1 * wave(x + 2 * z)};
    });
    return state;
}

bool sweeps(RiemannSolver riemann) {
    auto state = smooth_state();
    Hydrodynamics hydro(state.where(), {.riemann = riemann});
    auto const dt = hydro.time_step(state);
    auto const cost = performance::median_of(repetitions, [&] {
        auto const s = core_seconds([&] { hydro.advance(state, dt, SweepOrder::xyz); });
        return 1e9 * s / static_cast<double>(state.cells());
    });
    return performance::report(
        fmt::format("cloud, three sweeps, {}", enum_names(riemann)[static_cast<std::size_t>(riemann)]), cost,
        "ns/cell-step", 345, performance::Better::lower);
}

bool cycles() {
    constexpr Index count = 4;
    auto state = smooth_state();
    Multigrid solver(state.where());
    auto const cost = performance::median_of(repetitions, [&] {
        // The way into colours and back, and the means, are a solution's and not a cycle's.
        auto const solution = [&](Index n) {
            return core_seconds([&] { solver.solve(state[Variable::potential], state[Variable::density], {0, n}); });
        };
        auto const begin_and_end = solution(0);
        auto const s = (solution(count) - begin_and_end) / static_cast<double>(count);
        return 1e9 * s / static_cast<double>(state.cells());
    });
    return performance::report("cloud, one V(2,2) cycle", cost, "ns/cell", 22, performance::Better::lower);
}

}  // namespace

int main() {
    bool met = cycles();
    for (auto const riemann : {RiemannSolver::hllc, RiemannSolver::two_shock}) {
        met = sweeps(riemann) && met;
    }
    return met ? 0 : 1;
}
