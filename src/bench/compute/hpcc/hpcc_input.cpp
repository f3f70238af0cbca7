#include "bench/compute/hpcc/hpcc_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "bench/compute/hpl/hpl_residual.hpp"
#include "bench/compute/hpl/panel_broadcast.hpp"
#include "bench/compute/hpl/row_exchange.hpp"
#include "core/error.hpp"
#include "core/terminal_text.hpp"

namespace weir {
namespace {

constexpr std::uint64_t most_order = 1'000'000;
constexpr std::uint64_t most_block = 4096;
constexpr std::uint64_t most_values = 20;  ///< of a list, as HPL's

/// The lines of the file, by number from 1: numbers first, then a comment.
class InputLines {
  public:
    InputLines(std::string const& text, std::string path) : path_(std::move(path)) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            lines_.push_back(std::move(line));
        }
    }

    [[nodiscard]] bool has(std::size_t line) const { return line <= lines_.size(); }

    [[noreturn]] void refuse(std::size_t line, std::string const& wanted) const {
        constexpr std::size_t most_shown = 60;
        auto const found = has(line) ? "it is '" + printable(lines_[line - 1]).substr(0, most_shown) + "'"
                                     : fmt::format("the file ends after {} lines", lines_.size());
        throw Error({fmt::format("line {} of {} must hold {}", line, path_, wanted), found,
                     "Correct it; what each line holds is told in netlib.org/benchmark/hpl/tuning.html.",
                     ExitCode::usage});
    }

    [[nodiscard]] std::vector<std::uint64_t> numbers(std::size_t line, std::size_t count, std::string const& name,
                                                     std::uint64_t least, std::uint64_t most) const {
        auto const wanted = fmt::format("{} from {} to {}: {}",
                                        count == 1 ? "a number" : fmt::format("{} numbers", count), least, most, name);
        std::vector<std::uint64_t> found;
        std::istringstream words(has(line) ? lines_[line - 1] : "");
        for (std::string word; found.size() < count && words >> word;) {
            constexpr std::size_t most_digits = 9;
            auto const is_number = !word.empty() && word.size() <= most_digits &&
                                   word.find_first_not_of("0123456789") == std::string::npos;
            auto const value = is_number ? std::stoull(word) : 0;
            if (!is_number || value < least || value > most) {
                refuse(line, wanted);
            }
            found.push_back(value);
        }
        if (found.size() < count) {
            refuse(line, wanted);
        }
        return found;
    }

    struct Decimal {
        std::string word;
        double value;
    };

    /// The first word of the line, which must be a number.
    [[nodiscard]] Decimal decimal(std::size_t line, std::string const& name) const {
        std::istringstream words(has(line) ? lines_[line - 1] : "");
        std::string word;
        words >> word;
        char* end = nullptr;
        auto const value = std::strtod(word.c_str(), &end);
        if (!std::isfinite(value) || word.empty() || word.find_first_not_of("0123456789.+-eE") != std::string::npos ||
            *end != '\0') {
            refuse(line, "a number: " + name);
        }
        return {std::move(word), value};
    }

    /// The values of a list, whose count is in the line before.
    [[nodiscard]] std::vector<std::uint64_t> list(std::size_t line, std::string const& name, std::uint64_t least,
                                                  std::uint64_t most) const {
        auto const count = numbers(line - 1, 1, "how many of: " + name, 1, most_values).front();
        return numbers(line, count, name, least, most);
    }

  private:
    std::string path_;
    std::vector<std::string> lines_;
};

}  // namespace

HpccInput parse_hpcc_input(std::string const& text, std::string const& path) {
    InputLines const lines(text, path);
    HpccInput input;
    auto const first_of = [&](std::vector<std::uint64_t> const& values, std::string const& name) {
        if (values.size() > 1) {
            input.left_out.push_back(fmt::format("{} of {} values of {}", values.size() - 1, values.size(), name));
        }
        return values.front();
    };
    auto sizes = lines.list(6, "N", 1, most_order);
    std::sort(sizes.begin(), sizes.end(), std::greater());
    input.size = first_of(sizes, "N");
    input.block = first_of(lines.list(8, "NB", 1, most_block), "NB");
    if (input.block > input.size) {
        lines.refuse(8, fmt::format("blocks that are no larger than N = {}", input.size));
    }
    auto const by_columns = lines.numbers(9, 1, "PMAP", 0, 1).front() == 1;
    auto const rows = lines.list(11, "P", 1, most_order);
    input.grid_rows = first_of(rows, "P");
    input.grid_columns = lines.numbers(12, rows.size(), "Q", 1, most_order).front();
    auto const residual_below = lines.decimal(13, "the threshold of the residual");
    auto const panel_factoring = lines.list(15, "PFACT", 0, 2).front();
    auto const least_columns = first_of(lines.list(17, "NBMIN", 1, most_block), "NBMIN");
    auto const parts = first_of(lines.list(19, "NDIV", 2, most_block), "NDIV");
    auto const recursive_factoring = lines.list(21, "RFACT", 0, 2).front();
    auto const route = first_of(lines.list(23, "BCAST", 0, enum_names(PanelRoute{}).size() - 1), "BCAST");
    auto const depth = first_of(lines.list(25, "DEPTH", 0, most_block), "DEPTH");
    auto const swap = lines.numbers(26, 1, "SWAP", 0, enum_names(SwapRoute{}).size() - 1).front();
    auto const threshold = lines.numbers(27, 1, "swapping threshold", 0, most_order).front();
    input.algorithm = {{"least_columns", least_columns},
                       {"route", enum_names(PanelRoute{}).at(route)},
                       {"look_ahead", depth},
                       {"swap", enum_names(SwapRoute{}).at(swap)},
                       {"swap_threshold", threshold}};
    static_cast<void>(lines.numbers(28, 1, "the form of L1", 0, 1));
    static_cast<void>(lines.numbers(29, 1, "the form of U", 0, 1));
    static_cast<void>(lines.numbers(30, 1, "equilibration", 0, 1));
    static_cast<void>(lines.numbers(31, 1, "the alignment of memory", 1, most_order));
    constexpr std::uint64_t left_looking = 0;
    constexpr std::uint64_t right_looking = 2;
    if (panel_factoring != left_looking) {
        input.left_out.emplace_back("PFACT: columns are factored left-looking");
    }
    if (recursive_factoring != right_looking) {
        input.left_out.emplace_back("RFACT: halves of panels are factored right-looking");
    }
    if (residual_below.value != HplResidual::most) {
        input.left_out.push_back("a threshold of " + residual_below.word + ": residuals pass below 16");
    }
    if (by_columns) {
        input.left_out.emplace_back("PMAP 1, ranks by columns of the grid");
    }
    if (parts != 2) {
        input.left_out.push_back(fmt::format("NDIV {}: a panel is halved", parts));
    }
    for (auto const& [line, name] : {std::pair(std::size_t{34}, "sizes"), std::pair(std::size_t{36}, "blocks")}) {
        if (lines.has(line - 1) && lines.numbers(line - 1, 1, "how many more of PTRANS", 0, most_values).front() > 0) {
            input.left_out.push_back(fmt::format("more {} for PTRANS", name));
        }
    }
    return input;
}

}  // namespace weir
