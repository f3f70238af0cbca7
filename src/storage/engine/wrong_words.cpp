#include "storage/engine/wrong_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.hpp"
#include "storage/datasets.hpp"

namespace weir {
namespace {

/// A file's data layout.
struct FileData {
    Pattern const& pattern;
    Engine const& engine;
    bool raw;  ///< else the file contains more: its data is in datasets

    [[nodiscard]] std::string path(std::uint64_t file, std::uint64_t owner) const {
        return engine.path_to_tell(file, Rank{owner}).string();
    }
    [[nodiscard]] Datasets datasets(std::uint64_t file) const {
        OpenRequest request;
        request.file_bytes = file_sizes(pattern)[file];
        request.dataset_bytes = pattern.files[file].dataset_bytes;
        request.dataset_bytes = request.dataset_bytes > 0 ? request.dataset_bytes : request.file_bytes;
        return Datasets(request);
    }

    /// The dataset that holds a byte, and the byte's offset in it; null for plain files.
    [[nodiscard]] Json dataset(std::uint64_t file, std::uint64_t offset) const {
        if (raw) {
            return {};
        }
        auto const all = datasets(file);
        return {{"name", all.name_of(all.holding(offset))}, {"offset", all.within(offset)}};
    }

    [[nodiscard]] std::string place(std::uint64_t file, std::uint64_t owner, std::uint64_t offset) const {
        auto const within = dataset(file, offset);
        return raw ? fmt::format("offset {} of the file '{}'", offset, path(file, owner))
                   : fmt::format("offset {} of the dataset '{}' in '{}'", within["offset"].get<std::uint64_t>(),
                                 within["name"].get<std::string>(), path(file, owner));
    }
};

/// The origin of a word, as text; empty if this run did not write it.
std::string origin(std::uint64_t value, FileData const& data, WrongWords const& words) {
    auto const& pattern = data.pattern;
    auto const& engine = data.engine;
    constexpr std::uint64_t most_ranks = 4096;  // more would take longer than the read
    auto const size_words = totals(pattern).bytes_on_disk / 8;
    auto const test = [&](std::uint64_t file, std::uint64_t owner) -> std::string {
        auto const index = engine.stamp_of(file, Rank{owner}).index_of(value);
        return index < size_words ? "belongs at " + data.place(file, owner, index * 8) : "";
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

std::string explain(WrongWords const& words, FileData const& data) {
    if (words.first_is_missing) {
        return "the file ends before it: missing";
    }
    if (auto place = origin(words.found, data, words); !place.empty()) {
        return place;
    }
    return words.found == 0 ? "zero: never written, or lost" : "no word of this run: changed, or of another seed";
}

constexpr char const* do_not_rely =
    "Do not rely on this storage or on this library until the cause is known. Repeat it with another back-end to see "
    "which of them is at fault.";

/// Each word is one that was written, and some were read more than once.
Diagnosis diagnose_repeated(WrongWords const& words, FileData const& data) {
    Json const details{{"wrong_words", {{"count", nullptr}, {"checked", words.checked}, {"first", nullptr}}}};
    return {fmt::format("some requests read back from '{}' are there twice, and others are lost",
                        data.path(words.file, words.owner)),
            "at the file pointer that the ranks share, each must be read once",
            do_not_rely,
            ExitCode::wrong_data,
            {},
            json_text(details)};
}

}  // namespace

Diagnosis diagnose(WrongWords const& words, Pattern const& pattern, Engine const& engine, Features const& features) {
    FileData const data{pattern, engine, features.raw};
    if (words.wrong == 0) {
        return diagnose_repeated(words, data);
    }
    auto const why = explain(words, data);
    auto const place =
        words.placed ? data.place(words.file, words.owner, words.offset)
                     : fmt::format("a place of '{}' that the shared pointer chose", data.path(words.file, words.owner));
    auto const known = words.placed || words.expected != 0;
    Json const first{{"file", data.path(words.file, words.owner)},
                     {"offset", words.placed ? Json(words.offset) : Json()},
                     {"dataset", data.dataset(words.file, words.offset)},
                     {"rank", words.owner},
                     {"expected", known ? Json(fmt::format("{:#018x}", words.expected)) : Json()},
                     {"found", words.first_is_missing ? Json() : Json(fmt::format("{:#018x}", words.found))},
                     {"diagnosis", why}};
    Json const details{{"wrong_words", {{"count", words.wrong}, {"checked", words.checked}, {"first", first}}}};
    return {fmt::format("{} of {} words read back are wrong, the first at {} (rank {})", words.wrong, words.checked,
                        place, words.owner),
            fmt::format("expected {}, found {}; {}", known ? fmt::format("{:#018x}", words.expected) : "another",
                        words.first_is_missing ? "nothing" : fmt::format("{:#018x}", words.found), why),
            do_not_rely,
            ExitCode::wrong_data,
            words.owner,
            json_text(details)};
}

}  // namespace weir
