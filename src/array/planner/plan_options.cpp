#include "array/planner/plan_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "comm/collective_error_c.hpp"
#include "core/error.hpp"

namespace weir::array {

void PlanOptions::declare_method(OptionSet& set) {
    set.add("method", method,
            "how data gets into the file: independently, through rank 0, redistributed so that each aggregator has "
            "contiguous pieces, or through the first rank of each group");
    set.add("exchange", exchange, "how data gets to an aggregator of the same node");
}

void PlanOptions::declare_aggregators(OptionSet& set) {
    set.add("writers", writers, "aggregators for writing; 0: the planner chooses");
    set.add("readers", readers, "aggregators for reading; 0: the planner chooses");
    set.add("per_node", per_node,
            "aggregators of each node, unless writers or readers are set; 0: the planner chooses");
    set.add("memory", memory,
            "bound for all memory of a plan on a rank, except lists of boxes and pieces; a smaller bound takes more "
            "rounds. 0: the planner chooses");
    set.add("window", window,
            "bytes that an aggregator writes at once; smaller ones than a page are enlarged, up to a page, where all "
            "bytes would be more than 65,536 of them. 0: the planner chooses, within `memory`");
    set.add("align", align,
            "aggregators' parts end at multiples of this in the file: a stripe. A pattern's requests reuse a plan only "
            "if they are displaced by a multiple of it. 0: the planner chooses");
    set.add("thread", thread, "a thread of each aggregator writes while its rank exchanges");
}

void PlanOptions::declare(OptionSet& set) {
    set.group("Method");
    declare_method(set);
    set.add("group", group, "ranks of a group, for method=grouped; default: those of a node", {1, {}});
    set.add("target", target, "exchange no farther than contiguous pieces of this size need", {1, {}});
    set.group("Aggregators");
    declare_aggregators(set);
    set.add("offset", offset, "offset of the arrays in the file, for `align`");
    set.group("Dumps");
    set.add("sync", sync, "a write returns when the data is on the device");
    set.add(
        "safe", safe,
        "write to PATH.weir-part, always sync, and rename, so that an interrupted dump never replaces the last good "
        "one; other content of the file is copied");
    set.add("checksum", checksum,
            "when writing, keep checksums of each MiB of the file in a second file; when reading, verify each MiB of "
            "which the same bytes are read as were written. In a part of an array, a partly read MiB is not verified; "
            "a part without a whole MiB is refused");
    set.add("async", async,
            "aggregators buffer everything that they write, as far as `memory` allows, so that weir_write_start() "
            "returns after the exchange");
    set.add(
        "holes", holes,
        "elements that no rank writes, as land points of an ocean's grid: refuse to write, keep what the file holds "
        "there, or fill them with the array's fill value. To make fewer requests, keep also reads and rewrites "
        "short gaps: other programs must not change them meanwhile");
    set.group("Planner");
    set.add("directory", directory, "directory of the files, whose file system the planner uses in its estimates");
    set.add("profile", profile, "a machine profile: the parameters of the planner's estimates");
    set.add("measure", measure,
            "no effect; accepted from programs written for trials of strategies, which chose no faster ones than the "
            "estimates");
    set.group("Tests");
    set.add("node_size", node_size,
            "treat this many ranks as a node, to test the exchange between nodes on one; 0: real nodes");
}

namespace {

/// A word of the options' text, as it is there.
struct Given {
    std::string name;
    std::string value;
};

std::vector<Given> given_in(std::string_view text) {
    std::vector<Given> all;
    std::istringstream words{std::string(text)};
    words.exceptions(std::ios::badbit);  // out of memory
    for (std::string word; words >> word;) {
        auto const equals = word.find('=');
        if (equals == std::string::npos) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("'{}' is no option", word), "it has no '='",
                 "Write key=value, with spaces between options: \"writers=4 memory=64MiB\".");
        }
        all.push_back({word.substr(0, equals), word.substr(equals + 1)});
    }
    return all;
}

/// Of two values, one is a mistake, and nobody knows which.
void refuse_twice(std::vector<Given> const& all) {
    for (auto second = all.begin(); second != all.end(); ++second) {
        auto const first = std::find_if(all.begin(), second, [&](Given const& o) { return o.name == second->name; });
        if (first != second) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("the option {} is given twice", second->name),
                 fmt::format("as {0}={1} and as {0}={2}", second->name, first->value, second->value),
                 "Leave out one of them.");
        }
    }
}

}  // namespace

std::string overridden(std::string_view text, std::string_view by) {
    auto const stronger = given_in(by);
    std::string all(by);
    for (auto const& option : given_in(text)) {
        if (std::ranges::count(stronger, option.name, &Given::name) == 0) {
            all += fmt::format(" {}={}", option.name, option.value);
        }
    }
    return all;
}

PlanOptions parse_options(std::string_view text) {
    PlanOptions options;
    OptionSet set;
    options.declare(set);
    auto const all = given_in(text);
    refuse_twice(all);
    for (auto const& [name, value] : all) {
        if (value.empty()) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("the option {} has no value", name), "nothing follows its '='",
                 "Give it one, or leave it out.");
        }
        try {
            set.set_words(name, {value});
        } catch (Error const& error) {
            auto const& d = error.diagnosis();
            fail(WEIR_BAD_ARGUMENT, d.problem, d.reason, "docs/reference/array-options.md describes every option.");
        }
    }
    options.sync = options.sync || options.safe;
    if (options.holes == HoleUse::keep && options.checksum) {
        fail(WEIR_BAD_ARGUMENT, "checksum=yes cannot be used with holes=keep",
             "elements that no rank writes have no checksum", "Leave out one of them, or write holes=fill.");
    }
    return options;
}

}  // namespace weir::array
