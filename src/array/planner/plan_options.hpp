#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/option.hpp"

namespace weir::array {

enum class Method { automatic, independent, gather, two_phase, grouped };
constexpr std::array<std::string_view, 5> enum_names(Method) {
    return {"auto", "independent", "gather", "two_phase", "grouped"};
}
constexpr std::array<std::string_view, 5> enum_words(Method) {
    return {"", "each rank its own pieces", "all through rank 0", "two-phase", "through the first rank of each group"};
}

/// How aggregators receive the data of other ranks of their node.
enum class Route { automatic, shared_memory, messages };
constexpr std::array<std::string_view, 3> enum_names(Route) { return {"auto", "shared_memory", "messages"}; }

/// What becomes of elements that no rank writes.
enum class HoleUse { refuse, keep, fill };
constexpr std::array<std::string_view, 3> enum_names(HoleUse) { return {"refuse", "keep", "fill"}; }

/// A plan's options; 0: chosen by the planner. docs/reference/array-options.md is made from these declarations.
struct PlanOptions {
    Method method = Method::automatic;
    Route exchange = Route::automatic;
    std::uint64_t writers = 0;
    std::uint64_t readers = 0;
    std::uint64_t per_node = 0;
    std::uint64_t group = 0;
    Bytes target{4 << 20};
    Bytes memory{0};
    Bytes window{0};
    Bytes align{0};
    Bytes offset{0};
    bool sync = true;
    bool safe = false;
    bool checksum = false;
    bool async = false;
    HoleUse holes = HoleUse::refuse;
    bool measure = false;
    bool thread = false;
    std::string directory;
    std::string profile;
    std::uint64_t node_size = 0;

    void declare(OptionSet&);

    /// Declares the options of the exchange methods, for arrays and for other pieces of a file.
    void declare_method(OptionSet&);
    void declare_aggregators(OptionSet&);
};

/// Parses "key=value key=value"; throws Failure (WEIR_BAD_ARGUMENT) on anything that is not an option, and on an option
/// that is given twice.
PlanOptions parse_options(std::string_view text);

/// The text of options, those that `by` has too having its values. Throws Failure on what has no '='.
std::string overridden(std::string_view text, std::string_view by);

}  // namespace weir::array
