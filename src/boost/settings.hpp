#pragma once

#include <cstdint>
#include <string>

namespace weir::boost {

/// What the variable WEIR_BOOST says, for tests: words with commas between them. Unknown ones do nothing.
struct Settings {
    bool always = false;              ///< `always`: take over all that is understood
    bool direct = false;              ///< `direct`: the same, each rank by itself
    bool never = false;               ///< `never`: take over nothing, but count and time everything
    bool messages = false;            ///< `messages`: share no memory within a node
    std::uint64_t window = 16 << 20;  ///< `window=BYTES`: the longest window of an aggregator, in whole pages
    std::string unknown{};            ///< the last of the unknown words
};

/// Read once. Local.
Settings const& settings();

}  // namespace weir::boost
