// What Richards' equation costs a cell and Newton iteration on one core.

#include <cmath>
#include <ctime>

#include "apps/aquifer/flow/richards.hpp"
#include "performance/measure.hpp"

using namespace weir;
using namespace weir::aquifer;

namespace {

constexpr int repetitions = 11;

double core_time_s() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Rain on loam of varying conductivity, above a water table.
Richards rain(Mesh const& mesh, Retention retention) {
    Flow flow{.soils = {{.retention = retention, .alpha = 3.6, .n = 1.56, .specific_storage = 1e-4}}};
    flow.sides[0] = {BoxSide::Condition::head, 2};
    flow.sides[5] = {BoxSide::Condition::inflow, 1e-7};
    auto const cells = mesh.block().count();
    Ground ground{std::vector<double>(cells), std::vector<std::size_t>(cells)};
    std::vector<double> heads(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        ground.conductivity[i] = 1e-5 * std::exp(std::sin(0.7 * static_cast<double>(i)));
        heads[i] = 2 - 0.25 * (static_cast<double>(i / 4096) + 0.5);
    }
    return Richards(mesh, flow, ground, heads);
}

bool iterations(Retention retention) {
    Mesh const mesh({}, {{64, 64, 40}, {1, 1, 0.25}});
    int newton = 0;
    auto const cost = performance::median_of(repetitions, [&] {
        auto richards = rain(mesh, retention);
        auto const start_s = core_time_s();
        newton = 0;
        for (int step = 0; step < 3; ++step) {
            auto const done = richards.step(3600);
            newton += done.converged ? done.newton : 0;
        }
        return 1e6 * (core_time_s() - start_s) / (static_cast<double>(mesh.block().count()) * newton);
    });
    return performance::report(
        fmt::format("Richards, {}, 3 steps", enum_names(retention)[static_cast<std::size_t>(retention)]), cost,
        "us/cell-iteration", 2.5, performance::Better::lower);
}

}  // namespace

int main() {
    bool met = true;
    for (auto const retention : {Retention::van_genuchten, Retention::exponential}) {
        met = iterations(retention) && met;
    }
    return met ? 0 : 1;
}
