#include "apps/common/run/group_choice.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "apps/common/run/choose_groups.hpp"
#include "core/error.hpp"

namespace weir {
namespace {

/// The number that a text is, or the largest there is instead of a larger one; nothing if it is none.
std::optional<std::uint64_t> number_in(std::string const& text) {
    auto number = std::numeric_limits<std::uint64_t>::max();
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    auto const is_whole = error != std::errc::invalid_argument && end == text.data() + text.size();
    return is_whole ? std::optional(number) : std::nullopt;
}

}  // namespace

void GroupChoice::declare(OptionSet& options) {
    options.add("read_group", read_,
                "ranks of which one reads for all; 1: each reads for itself; auto: chosen by predicted times");
    options.add("write_group", write_, "the same for writing");
    options.add("group_by", by_, "groups of consecutive ranks, or of those of each node, whatever their number");
    options.add("group_requests", requests_,
                "the requests of a group for an array: one for the part of each member, or a combined one");
}

void GroupChoice::validate_choice(std::uint64_t ranks, std::string const& backend) const {
    for (auto const& [name, text] : {std::pair("read_group", read_), std::pair("write_group", write_)}) {
        if (text == automatic) {
            continue;
        }
        auto const number = number_in(text);
        validate(number.has_value(), fmt::format("{} = \"{}\" is no number of ranks", name, text),
                 "a group has 1 rank or more", "Give a number of ranks, or auto.");
        validate(*number > 0, fmt::format("{} = 0 is no group", name), "a group has 1 rank or more",
                 "Give 1 to let each rank make its own requests.");
        validate(*number <= ranks, fmt::format("{} = {} is more than there are ranks", name, text),
                 fmt::format("the run has {}", ranks), fmt::format("Give at most {}, or auto.", ranks));
    }
    auto const sizes = read_ != alone || write_ != alone;
    validate(by_ == GroupBy::count || !sizes, "sizes of groups contradict group_by = node",
             "a group is then the ranks of a node, whatever their number", "Leave one of them out.");
    validate(!is_set() || backend != "twophase", "groups of ranks contradict backend = twophase",
             "the two-phase library chooses which ranks make requests", "Choose another back-end, or no groups.");
}

Grouping GroupChoice::grouping(Pattern const& asked, Features const& features) const {
    Grouping grouping{.by = by_, .requests = features.many_parts ? requests_ : GroupRequests::member};
    grouping.read = number_in(read_).value_or(1);
    grouping.write = number_in(write_).value_or(1);
    if (by_ == GroupBy::count && (read_ == automatic || write_ == automatic)) {
        auto const best = choose_groups(asked, grouping.requests);
        grouping.read = read_ == automatic ? best.read : grouping.read;
        grouping.write = write_ == automatic ? best.write : grouping.write;
    }
    return grouping;
}

}  // namespace weir
