#include "bench/repetitions.hpp"

namespace weir {

void Repetitions::declare(OptionSet& options) {
    constexpr double longest_s = 1e6;
    options.add("warm_up", warm_up, "first repetitions that are not reported");
    options.add("repetitions", repetitions, "number of repetitions", {std::uint64_t{1}, {}});
    options.add("interval", interval, "pause between repetitions", {0.0, longest_s});
}

void Repetitions::each(Clock& clock, std::function<void(Turn const&)> const& turn) const {
    for (std::uint64_t done = 0; done < passes(); ++done) {
        if (done > 0) {
            clock.sleep(interval);
        }
        turn({done < warm_up ? std::nullopt : std::optional(done - warm_up), done + 1 == passes()});
    }
}

}  // namespace weir
