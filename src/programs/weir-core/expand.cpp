#include "programs/weir-core/expand.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "pattern/expansion.hpp"
#include "pattern/pattern_json.hpp"

namespace weir {
namespace {

void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
        throw system_error("cannot write to standard output", errno, "Free space, or read what is written.");
    }
}

}  // namespace

void print_expansion(std::string const& path, std::optional<std::uint64_t> rank) {
    auto const text = read_named_file(path, fmt::format("the pattern '{}'", path), "Check the path.");
    auto const json = Json::parse(text, nullptr, false);
    validate(!json.is_discarded(), fmt::format("'{}' is not JSON", path), "it could not be parsed",
             "Check it with a JSON tool.");
    auto const pattern = pattern_from_json(json, std::filesystem::path(path).parent_path());
    validate(rank.value_or(0) < pattern.ranks, fmt::format("there is no rank {}", rank.value_or(0)),
             fmt::format("the pattern is for {} ranks", pattern.ranks), "Ranks are counted from 0.");
    print(expansion_head);
    for (auto one = rank.value_or(0); one < (rank ? *rank + 1 : pattern.ranks); ++one) {
        expansion_csv(pattern, Rank{one}, print);
    }
    std::fflush(stdout);
}

}  // namespace weir
