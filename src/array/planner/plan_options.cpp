#include "array/planner/plan_options.hpp"

#include <fmt/format.h>

#include <sstream>

#include "comm/first_failure.hpp"
#include "core/error.hpp"

namespace weir::array {

void PlanOptions::declare_method(OptionSet& set) {
    set.add("method", method,
            "how data gets into the file: each rank for itself, all through rank 0, redistributed so that each "
            "aggregator has contiguous pieces, or each group's through its first rank");
    set.add("exchange", exchange, "how data gets to an aggregator of the same node");
}

void PlanOptions::declare_aggregators(OptionSet& set) {
    set.add("writers", writers, "aggregators in writing; 0: chosen");
    set.add("readers", readers, "aggregators in reading; 0: chosen");
    set.add("per_node", per_node, "aggregators of each node, where writers or readers do not say; 0: chosen");
    set.add("memory", memory,
            "most memory for buffers and all else that a plan holds on a rank, lists of boxes and pieces aside; what "
            "does not fit takes more rounds. 0: chosen");
    set.add("window", window, "bytes that an aggregator writes at once; 0: chosen, within `memory`");
    set.add(
        "align", align,
        "aggregators' parts end at multiples of this in the file: a stripe. So they do wherever the data is moved by "
        "a multiple of it; elsewhere, a pattern's requests are planned anew. 0: chosen");
    set.add("thread", thread, "a thread of each aggregator writes while its rank exchanges");
}

void PlanOptions::declare(OptionSet& set) {
    set.group("Method");
    declare_method(set);
    set.add("group", group, "ranks of a group, for method=grouped; where it is not said: those of a node", {1, {}});
    set.add("target", target, "exchange no farther than contiguous pieces of this size need", {1, {}});
    set.group("Aggregators");
    declare_aggregators(set);
    set.add("offset", offset, "where the arrays will begin in the file, for `align`");
    set.group("Dumps");
    set.add("sync", sync, "a write returns when the data is on the device");
    set.add("safe", safe,
            "write to PATH.weir-part, sync in any case and rename, so that an interrupted dump never replaces the last "
            "good one; what the file holds outside the arrays is copied");
    set.add(
        "checksum", checksum,
        "keep checksums of each MiB of the file beside it in writing, and verify them in reading: in each MiB of which "
        "the same bytes are read as were written. A part of an array is not verified where it has but a part of a "
        "MiB, and not read at all where it has no whole one");
    set.add("async", async,
            "aggregators have memory for all that they write, as far as `memory` allows, so that weir_write_start() "
            "returns as soon as data has been exchanged");
    set.group("Planner");
    set.add("directory", directory, "where files will be, so that the planner can look at its file system");
    set.add("profile", profile, "a machine profile: the numbers that the planner calculates with");
    set.add("measure", measure, "try the cheapest strategies in `directory` for two seconds, and take the fastest");
    set.group("Tests");
    set.add("node_size", node_size,
            "take so many ranks for a node, to try exchange between nodes on one; 0: real nodes");
}

PlanOptions parse_options(std::string_view text) {
    PlanOptions options;
    OptionSet set;
    options.declare(set);
    std::istringstream words{std::string(text)};
    words.exceptions(std::ios::badbit);  // memory that is used up
    for (std::string word; words >> word;) {
        auto const equals = word.find('=');
        if (equals == std::string::npos) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("'{}' is no option", word), "it has no '='",
                 "Write key=value, with spaces between options: \"writers=4 memory=64MiB\".");
        }
        try {
            set.set_words(word.substr(0, equals), {word.substr(equals + 1)});
        } catch (Error const& error) {
            auto const& d = error.diagnosis();
            fail(WEIR_BAD_ARGUMENT, d.problem, d.reason, "docs/reference/array-options.md describes every option.");
        }
    }
    options.sync = options.sync || options.safe;
    return options;
}

}  // namespace weir::array
