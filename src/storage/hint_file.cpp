#include "storage/hint_file.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <sstream>

#include "core/error.hpp"

namespace weir {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

void add_hint(Hints& hints, std::string_view text, std::string_view separators, std::string const& where) {
    // Each MPI has its own limits, which count the end of the text; beyond them it ends the whole launch.
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

}  // namespace weir
