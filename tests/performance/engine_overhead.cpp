// What the engine costs an operation, with a back-end that touches nothing: it would otherwise be measured as the file
// system's. Making stamps, or an application's data, is no part of it.

#include "pattern/parametric.hpp"
#include "performance/measure.hpp"
#include "support/patterns/pattern_engine.hpp"
#include "support/patterns/sources.hpp"

using namespace weir;

namespace {

constexpr std::uint64_t operations = 2'000'000;
constexpr double goal_ns = 30;

bool measure(std::string const& what, Pattern const& pattern, bool stamps, DataSource* source) {
    MonotonicClock clock;
    auto const backend = Backends::instance().find("null")->make();
    testing::PatternEngine engine(*backend, pattern, EngineSettings{".", stamps}, Communicator(), clock);
    auto const cost = performance::median_of(11, [&] {
        auto const& phase = pattern.phases.at(0);
        engine.run(phase, source);
        return 1e9 * engine.report(phase.name).ranks[0].transfer_s / operations;
    });
    return performance::report(fmt::format("engine, null back-end, {}", what), cost, "ns/operation", goal_ns,
                               performance::Better::lower);
}

}  // namespace

int main() {
    Parameters p;
    p.transfer = Bytes{1024};
    p.block = Bytes{operations * p.transfer.value};
    p.read = false;
    bool met = true;
    for (auto const offsets : {Offsets::sequential, Offsets::shuffled, Offsets::random}) {
        p.offsets = offsets;
        met = measure(fmt::format("{} offsets", to_text(offsets)), make_pattern(p), false, nullptr) && met;
    }
    p.offsets = Offsets::sequential;
    met = measure("stamps", make_pattern(p), true, nullptr) && met;
    testing::EmptySource source;  // what is left is the engine's own
    met = measure("a data source", make_pattern(p), false, &source) && met;
    return met ? 0 : 1;
}
