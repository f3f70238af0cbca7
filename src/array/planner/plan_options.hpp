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

/// How aggregators of a node take what its other ranks hold.
enum class Route { automatic, shared_memory, messages };
constexpr std::array<std::string_view, 3> enum_names(Route) { return {"auto", "shared_memory", "messages"}; }

/// What a user may say about a plan; 0 is chosen. docs/reference/array-options.md is made from these declarations.
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
    bool measure = false;
    bool thread = false;
    std::string directory;
    std::string profile;
    std::uint64_t node_size = 0;

    void declare(OptionSet&);

    /// Those of every method to exchange data, of arrays or of other pieces of a file.
    void declare_method(OptionSet&);
    void declare_aggregators(OptionSet&);
};

/// Reads "key=value key=value"; throws Failure (WEIR_BAD_ARGUMENT) on what is none of the options.
PlanOptions parse_options(std::string_view text);

}  // namespace weir::array
