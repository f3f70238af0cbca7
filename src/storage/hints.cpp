#include "storage/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr char const* canary = "weir_no_such_hint";

char const* state_of(std::string const& asked, std::string const* found, bool repeats_anything) {
    if (found == nullptr) {
        return "ignored";
    }
    if (*found != asked) {
        return "changed";
    }
    return repeats_anything ? "unproven" : "in force";
}

}  // namespace

Hints with_canary(Hints asked) {
    if (!asked.empty()) {
        asked.emplace(canary, "1");
    }
    return asked;
}

bool take_canary(Hints& in_force) { return in_force.erase(canary) > 0; }

Json describe_hints_asked(Hints const& asked, Hints const& in_force, bool repeats_anything) {
    Json json;
    for (auto const& [hint, value] : asked) {
        auto const found = in_force.find(hint);
        auto const* there = found == in_force.end() ? nullptr : &found->second;
        json.push_back({{"hint", hint},
                        {"value", value},
                        {"in_force", there == nullptr ? Json() : Json(*there)},
                        {"state", state_of(value, there, repeats_anything)}});
    }
    return json;
}

HintsInForce hints_in_force(Hints const& asked, Hints reported) {
    auto const repeats_anything = take_canary(reported);
    auto states = describe_hints_asked(asked, reported, repeats_anything);
    return {std::move(reported), std::move(states)};
}

Json to_json(HintsInForce const& hints) {
    return {{"hints", hints.all.empty() ? Json() : Json(hints.all)}, {"hints_asked", hints.asked}};
}

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

void add_hint(Hints& hints, std::string_view text, std::string_view separators, std::string const& where) {
    // Each MPI has its own limits, including the terminating null; beyond them it aborts the job.
    constexpr std::size_t longest_key = MPI_MAX_INFO_KEY - 1;
    constexpr std::size_t longest_value = MPI_MAX_INFO_VAL - 1;
    auto const example = "Write for example cb_nodes=2.";
    auto const split = text.find_first_of(separators);
    auto const key = trimmed(text.substr(0, split));
    validate(split != std::string_view::npos && !key.empty(), fmt::format("{} is not key=value", where),
             "it has no key or no '='", example);
    auto const value = trimmed(text.substr(split + 1));
    validate(!value.empty(), fmt::format("{} is not key=value", where), "it has no value", example);
    validate(key.size() <= longest_key && value.size() <= longest_value, fmt::format("{} is too long", where),
             fmt::format("this MPI takes keys of {} and values of {} characters", longest_key, longest_value), example);
    auto const is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    validate(std::ranges::none_of(key, is_control) && std::ranges::none_of(value, is_control),
             fmt::format("{} is no text", where), "it has a control character, at which MPI would end it", example);
    hints[std::string(key)] = value;
}

Hints parse_hint_file(std::string const& text, std::string const& name) {
    Hints hints;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        auto const content = trimmed(std::string_view(line).substr(0, line.find('#')));
        if (!content.empty()) {
            auto const separators = content.find('=') == std::string_view::npos ? blanks : std::string_view("=");
            add_hint(hints, content, separators, fmt::format("'{}', line {},", name, number));
        }
    }
    return hints;
}

MpiInfo::MpiInfo(Hints const& hints) {
    if (hints.empty()) {
        return;
    }
    MPI_Info_create(&info_);
    for (auto const& [key, value] : hints) {
        MPI_Info_set(info_, key.c_str(), value.c_str());
    }
}

MpiInfo::~MpiInfo() {
    if (info_ != MPI_INFO_NULL) {
        MPI_Info_free(&info_);
    }
}

Hints read_and_free(MPI_Info info) {
    Hints hints;
    if (info == MPI_INFO_NULL) {
        return hints;
    }
    int count = 0;
    MPI_Info_get_nkeys(info, &count);
    for (int i = 0; i < count; ++i) {
        std::array<char, MPI_MAX_INFO_KEY + 1> key{};
        MPI_Info_get_nthkey(info, i, key.data());
        int length = 0;
        int found = 0;
        MPI_Info_get_valuelen(info, key.data(), &length, &found);
        std::vector<char> value(static_cast<std::size_t>(length) + 1, '\0');
        MPI_Info_get(info, key.data(), length, value.data(), &found);
        if (found != 0) {
            hints.emplace(key.data(), value.data());
        }
    }
    MPI_Info_free(&info);
    return hints;
}

}  // namespace weir
