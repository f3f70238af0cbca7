#pragma once

#include <string>

#include "bench/network/sampler.hpp"

namespace weir::testing {

/// Options for a quick sample with checked data.
inline NetworkOptions quick(std::string const& function, std::uint64_t bytes) {
    NetworkOptions options;
    options.function = function;
    options.bytes = Bytes(bytes);
    options.calls = 2;
    options.budget = Seconds(0);
    options.check = true;
    return options;
}

inline NetworkSample sampled(NetworkOptions const& options) {
    MonotonicClock const clock;
    return Sampler(Communicator::world(), clock, options).sample();
}

/// The functions that this MPI has.
inline std::vector<FunctionFacts> available_functions() {
    std::vector<FunctionFacts> all;
    for (auto const& [name, function] : Registry<NetworkFunction>::instance().items()) {
        if (function->facts().unavailable.empty()) {
            all.push_back(function->facts());
        }
    }
    return all;
}

}  // namespace weir::testing
