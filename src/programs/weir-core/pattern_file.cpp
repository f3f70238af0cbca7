#include <fmt/format.h>

#include <set>

#include "bench/line_sink.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
#include "pattern/expansion.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/prepare_replay.hpp"
#include "pattern/scale.hpp"
#include "programs/weir-core/command_line.hpp"
#include "programs/weir-core/handed.hpp"
#include "sim/simulation_json.hpp"

namespace weir {
namespace {

/// Names list files by their absolute path, so that the pattern may be stored elsewhere.
void name_whole_paths(Json& json, std::filesystem::path const& folder, int deeper = 64) {
    for (auto& [key, value] : json.items()) {
        if (value.is_structured() && deeper > 0) {
            name_whole_paths(value, folder, deeper - 1);
        } else if (key == "lists_file" && value.is_string()) {
            value = std::filesystem::absolute(folder / value.get<std::string>()).string();
        }
    }
}

Json read_json(std::string const& path) {
    refuse_wrong_door(path, Door::pattern);
    auto const text = read_named_file(path, fmt::format("the pattern '{}'", path), "Check the path.");
    auto json = parse_json(text);
    validate(!json.is_discarded(), fmt::format("'{}' is not JSON", path), "it could not be parsed",
             "Check it with a JSON tool.");
    name_whole_paths(json, std::filesystem::path(path).parent_path());
    return json;
}

/// Numbers phases of the same name, so that their samples can be distinguished.
void tell_phases_apart(Pattern& pattern) {
    std::set<std::string> names;
    for (auto& phase : pattern.phases) {
        auto const name = phase.name;
        for (int number = 2; !names.insert(phase.name).second; ++number) {
            phase.name = fmt::format("{}-{}", name, number);
        }
    }
}

}  // namespace

void print_expansion(std::string const& path, std::optional<std::uint64_t> rank, StandardOutputLines& out) {
    auto const pattern = pattern_from_json(read_json(path));
    validate(rank.value_or(0) < pattern.ranks, fmt::format("there is no rank {}", rank.value_or(0)),
             fmt::format("the pattern is for {} ranks", pattern.ranks), "Ranks are counted from 0.");
    struct NobodyReads {};
    auto const print = [&](std::string_view lines) {
        out.write_text(lines);
        if (out.has_lost()) {
            throw NobodyReads();  // there may be billions of them
        }
    };
    try {
        print(expansion_head);
        for (auto one = rank.value_or(0); one < (rank ? *rank + 1 : pattern.ranks); ++one) {
            expansion_csv(pattern, Rank{one}, print);
        }
    } catch (NobodyReads const&) {  // which `out` knows
    }
}

Json simulated_file(std::string const& path) {
    auto const asked = read_json(path);
    auto const folder = std::filesystem::path(path).parent_path();
    if (!asked.is_array()) {
        return sim::simulated(asked, folder);
    }
    auto found = Json::array();
    for (auto const& one : asked) {
        found.push_back(sim::simulated(one, folder));
    }
    return found;
}

Json prepared_pattern(std::string const& path, std::optional<std::uint64_t> ranks, bool gaps) {
    auto pattern = pattern_from_json(read_json(path));
    if (ranks) {
        pattern = scaled(pattern, *ranks);
    }
    tell_phases_apart(pattern);
    return to_json(with_files_made(gaps ? std::move(pattern) : without_gaps(std::move(pattern))));
}

}  // namespace weir
