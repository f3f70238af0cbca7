#include "programs/weir-core/handed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/error.hpp"

namespace weir {
namespace {

struct HandedKind {
    std::string_view what;
    std::string_view use;  ///< with {} for the path
    std::optional<Door> door{};
};

constexpr HandedKind a_run{"a run", "`weir show {0}` shows it, `weir report {0}` writes its report."};
constexpr HandedKind a_trace{"a trace",
                             "`weir explain {0}` shows it, `weir pattern {0} -o FILE` makes a pattern of it."};
constexpr HandedKind a_study{"a study", "`weir run {0}` carries it out."};
constexpr HandedKind a_program{"a program", "`weir trace -- {0}` records what it requests."};
constexpr HandedKind a_pattern{
    "a pattern", "`weir replay {0}` carries it out, `weir-core expand {0}` lists its operations.", Door::pattern};
constexpr HandedKind a_cases{"a case file", "`weir-core {0}` runs it.", Door::cases};

std::optional<HandedKind> kind_of_folder(std::filesystem::path const& path) {
    std::error_code failed;
    if (std::filesystem::exists(path / "run.json", failed)) {
        return a_run;
    }
    auto entries = std::filesystem::directory_iterator(path, failed);
    auto const is_process = [](auto const& entry) { return entry.path().extension() == ".process"; };
    auto const is_trace = !failed && std::any_of(begin(entries), end(entries), is_process);
    return is_trace ? std::optional(a_trace) : std::nullopt;
}

bool begins_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

std::optional<HandedKind> kind_of_text(std::filesystem::path const& path, std::string_view text) {
    if (begins_with(text, "WEIRPAK1") || path.extension() == ".weirtrace") {
        return a_trace;
    }
    if (begins_with(text,
                    "\x7f"
                    "ELF") ||
        begins_with(text, "#!")) {
        return a_program;
    }
    if (path.extension() == ".toml" || text.find("[study]") != std::string_view::npos) {
        return a_study;
    }
    auto const has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("\"weir_pattern\"")) {
        return a_pattern;
    }
    return has("\"cases\"") && has("\"schema\"") ? std::optional(a_cases) : std::nullopt;
}

/// Its beginning, which is enough to know it.
std::string start_of(std::filesystem::path const& path) {
    std::array<char, 4096> start{};
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), start.size());
    return {start.data(), static_cast<std::size_t>(file.gcount())};
}

}  // namespace

void refuse_wrong_door(std::string const& path, Door door) {
    std::error_code failed;
    auto const status = std::filesystem::status(path, failed);
    std::optional<HandedKind> kind;
    if (std::filesystem::is_directory(status)) {
        kind = kind_of_folder(path);
    } else if (std::filesystem::is_regular_file(status)) {
        kind = kind_of_text(path, start_of(path));
    }
    validate(!kind || kind->door == door, fmt::format("'{}' is {}", path, kind ? kind->what : ""),
             fmt::format("{} is needed here", door == Door::cases ? a_cases.what : a_pattern.what),
             kind ? fmt::format(fmt::runtime(kind->use), path) : "");
}

}  // namespace weir
