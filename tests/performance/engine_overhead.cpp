// What the engine costs an operation, with a back-end that touches nothing: it would otherwise be measured as the file
// system's.

#include "pattern/parametric.hpp"
#include "performance/measure.hpp"
#include "storage/engine.hpp"

using namespace weir;

int main() {
    constexpr std::uint64_t operations = 2'000'000;
    Parameters p;
    p.transfer = Bytes{1024};
    p.block = Bytes{operations * p.transfer.value};
    p.read = false;
    MonotonicClock clock;
    bool met = true;
    for (auto const offsets : {Offsets::sequential, Offsets::shuffled, Offsets::random}) {
        p.offsets = offsets;
        auto const pattern = make_pattern(p);
        auto const backend = Backends::instance().find("null")->make();
        Engine engine(*backend, pattern, EngineSettings{".", false, false, 0, {}}, Communicator(), clock);
        std::vector<double> costs;
        for (int i = 0; i < 11; ++i) {
            auto const result = engine.run(pattern.phases.at(0));
            costs.push_back(1e9 * result.ranks[0].transfer_s / operations);
        }
        met = performance::report(fmt::format("engine, null back-end, {} offsets", to_text(offsets)),
                                  performance::median_of(costs), "ns/operation", 50, performance::Better::lower) &&
              met;
    }
    return met ? 0 : 1;
}
