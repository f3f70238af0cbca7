#pragma once

#include <initializer_list>
#include <random>
#include <string>

#include "support/arrays/sections.hpp"

namespace weir::testing {

inline std::string one_of(std::mt19937_64& random, std::initializer_list<char const*> words) {
    return words.begin()[random_below(random, words.size())];
}

/// Options of a plan, so that small arrays have many windows, aggregators and nodes.
inline std::string random_options(std::mt19937_64& random, std::uint64_t ranks) {
    auto text = "method=" + one_of(random, {"auto", "independent", "gather", "two_phase", "two_phase", "two_phase",
                                            "grouped", "grouped"});
    text += " exchange=" + one_of(random, {"auto", "shared_memory", "messages"});
    auto const some = [&](char const* name, std::uint64_t least, std::uint64_t most, char const* unit = "") {
        if (random_below(random, 2) == 0) {
            text +=
                std::string(" ") + name + "=" + std::to_string(least + random_below(random, most - least + 1)) + unit;
        }
    };
    some("group", 1, ranks + 1);
    some("writers", 1, ranks + 1);
    some("readers", 1, ranks + 1);
    some("per_node", 1, 3);
    some("node_size", 1, ranks);
    some("target", 1, 600, "B");
    some("align", 1, 300, "B");
    some("offset", 0, 400, "B");
    if (random_below(random, 3) != 0) {
        text += " window=" + std::to_string(16 + random_below(random, 3000)) + "B";
    }
    if (random_below(random, 4) == 0) {
        text += " memory=" + std::to_string(64 + random_below(random, 40000)) + "B";
    }
    text += " thread=" + one_of(random, {"false", "false", "true"});
    text += " async=" + one_of(random, {"false", "false", "false", "true"});
    text += " checksum=" + one_of(random, {"false", "false", "false", "false", "false", "true"});
    text += " safe=" + one_of(random, {"false", "false", "false", "true"});
    text += " sync=" + one_of(random, {"false", "false", "false", "true"});
    return text;
}

}  // namespace weir::testing
