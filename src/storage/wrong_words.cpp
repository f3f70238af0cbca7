#include "storage/wrong_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.hpp"

namespace weir {
namespace {

/// Where a word belongs, as words; empty if it is none of this run's.
std::string origin(std::uint64_t value, Pattern const& pattern, Engine const& engine, WrongWords const& words) {
    constexpr std::uint64_t most_ranks = 4096;  // more would take longer than the reading did
    auto const size_words = totals(pattern).bytes_on_disk / 8;
    auto const test = [&](std::uint64_t file, std::uint64_t owner) -> std::string {
        auto const index = engine.stamp_of(file, Rank{owner}).index_of(value);
        auto const path = engine.path_to_tell(file, Rank{owner}).string();
        return index < size_words ? fmt::format("belongs at offset {} of '{}'", index * 8, path) : "";
    };
    if (auto const same = test(words.file, words.owner); !same.empty()) {
        return same;
    }
    for (std::uint64_t file = 0; file < pattern.files.size(); ++file) {
        auto const owners = pattern.files[file].per_rank ? std::min(pattern.ranks, most_ranks) : 1;
        for (std::uint64_t owner = 0; owner < owners; ++owner) {
            if (auto other = test(file, owner); !other.empty()) {
                return other;
            }
        }
    }
    return "";
}

std::string explain(WrongWords const& words, Pattern const& pattern, Engine const& engine) {
    if (words.first_is_missing) {
        return "the file ends before it: missing";
    }
    if (auto place = origin(words.found, pattern, engine, words); !place.empty()) {
        return place;
    }
    return words.found == 0 ? "zero: never written, or lost" : "no word of this run: changed, or of another seed";
}

}  // namespace

Diagnosis diagnose(WrongWords const& words, Pattern const& pattern, Engine const& engine) {
    auto const path = engine.path_to_tell(words.file, Rank{words.owner}).string();
    auto const why = explain(words, pattern, engine);
    Json const first{{"file", path},
                     {"offset", words.offset},
                     {"rank", words.owner},
                     {"expected", fmt::format("{:#018x}", words.expected)},
                     {"found", words.first_is_missing ? Json() : Json(fmt::format("{:#018x}", words.found))},
                     {"diagnosis", why}};
    Json const details{{"wrong_words", {{"count", words.wrong}, {"checked", words.checked}, {"first", first}}}};
    return {fmt::format("{} of {} words read back are wrong, the first in '{}' at offset {} (rank {})", words.wrong,
                        words.checked, path, words.offset, words.owner),
            fmt::format("expected {:#018x}, found {}; {}", words.expected,
                        words.first_is_missing ? "nothing" : fmt::format("{:#018x}", words.found), why),
            "Do not trust this storage with data until the cause is known.",
            ExitCode::wrong_data,
            words.owner,
            details.dump()};
}

}  // namespace weir
