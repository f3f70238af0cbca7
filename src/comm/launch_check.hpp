#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comm/launch_facts.hpp"

namespace weir {

enum class Binding { any, core, socket, none };
constexpr std::array<std::string_view, 4> enum_names(Binding) { return {"any", "core", "socket", "none"}; }

/// The launch that was requested.
struct LaunchExpectation {
    std::optional<std::uint64_t> ranks;
    std::optional<std::uint64_t> nodes;
    Binding binding = Binding::any;
    std::optional<std::uint64_t> ranks_per_node = {};
};

/// A condition that makes measurements less reliable, for the record and the terminal.
struct Warning {
    std::string code;  ///< as docs/reference/protocol.md lists them
    std::string problem;
    std::string why;
    std::string advice;
};

/// Refuses a launch whose ranks each run as a single process, or whose number of ranks was not requested (Error,
/// usage).
void refuse_broken_launch(std::uint64_t ranks, std::optional<std::uint64_t> launcher_ranks, LaunchExpectation const&);

/// Refuses a launch whose ranks are not on as many nodes, or not as many on each, as was requested (Error, cannot_run):
/// its numbers would be told as those of another.
void refuse_misplaced_launch(LaunchFacts const&, LaunchExpectation const&);

/// What is questionable about a launch. Pure: facts in, warnings out.
std::vector<Warning> judge_launch(LaunchFacts const&, LaunchExpectation const&);

Json to_json(std::vector<Warning> const&);

}  // namespace weir
