// What the engine costs an operation, with a back-end that touches nothing: it would otherwise be measured as the file
// system's. Making stamps, or an application's data, is no part of it.

#include "pattern/parametric.hpp"
#include "performance/measure.hpp"
#include "storage/engine/data_source.hpp"
#include "support/pattern_engine.hpp"

using namespace weir;

namespace {

constexpr std::uint64_t operations = 2'000'000;
constexpr double goal_ns = 30;

/// Has nothing to fill in: what is left is the engine's own.
class EmptySource final : public DataSource {
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override {}
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override {}
};

bool measure(std::string const& what, Pattern const& pattern, bool stamps, DataSource* source) {
    MonotonicClock clock;
    auto const backend = Backends::instance().find("null")->make();
    testing::PatternEngine engine(*backend, pattern, EngineSettings{".", stamps, false, 0, {}}, Communicator(), clock);
    std::vector<double> costs;
    for (int i = 0; i < 11; ++i) {
        auto const& phase = pattern.phases.at(0);
        engine.run(phase, source);
        costs.push_back(1e9 * engine.report(phase.name).ranks[0].transfer_s / operations);
    }
    return performance::report(fmt::format("engine, null back-end, {}", what), performance::median_of(costs),
                               "ns/operation", goal_ns, performance::Better::lower);
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
    EmptySource source;
    met = measure("a data source", make_pattern(p), false, &source) && met;
    return met ? 0 : 1;
}
