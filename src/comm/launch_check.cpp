#include "comm/launch_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace weir {
namespace {

/// More than this share of a core at work for others is worth a word; below it is the system's own housekeeping.
constexpr double busy_enough = 0.25;

void judge_cores(LaunchFacts const& facts, std::vector<Warning>& warnings) {
    for (auto const& node : facts.nodes) {
        if (node.ranks <= node.cores) {
            continue;
        }
        warnings.push_back({"oversubscribed",
                            fmt::format("{} ranks share {} cores on {}", node.ranks, node.cores, node.host),
                            "ranks wait for a core, not only for storage",
                            fmt::format("Use at most {} ranks a node for figures that you quote.", node.cores)});
        if (facts.mpi_spins.value_or(true)) {
            warnings.push_back(
                {"spinning", fmt::format("waiting ranks keep their core busy on {}", node.host),
                 facts.mpi_spins ? "this MPI spins while it waits, and there are more ranks than cores"
                                 : "this MPI does not say whether it spins while it waits",
                 "With Open MPI add --mca mpi_yield_when_idle 1; with MPICH use ch3:sock or fewer ranks."});
        }
        return;
    }
}

void judge_placement(LaunchFacts const& facts, Expectation const& asked, std::vector<Warning>& warnings) {
    auto const add = [&](std::string problem, std::string why) {
        warnings.push_back(
            {"placement", std::move(problem), std::move(why), "Check the launcher's mapping and binding options."});
    };
    if (asked.nodes && *asked.nodes != facts.nodes.size()) {
        add(fmt::format("the ranks are on {} nodes, not {}", facts.nodes.size(), *asked.nodes),
            "the launcher placed them otherwise than asked");
    }
    auto const bound_to_one =
        std::all_of(facts.placement.begin(), facts.placement.end(), [](auto const& p) { return p.cpu_count == 1; });
    auto const node_cores = facts.nodes.empty() ? 0 : facts.nodes.front().cores;
    if (asked.binding == Binding::core && !bound_to_one && node_cores > 1) {
        add("ranks are not bound to one core each", "they may move, and share a core while another idles");
    }
    if (asked.binding == Binding::none && bound_to_one && node_cores > 1) {
        add("ranks are bound to one core each", "no binding was asked for");
    }
}

}  // namespace

void refuse_broken_launch(std::uint64_t ranks, std::optional<std::uint64_t> launcher_ranks, Expectation const& asked) {
    auto const started = std::max(launcher_ranks.value_or(1), asked.ranks.value_or(1));
    validate(!(ranks == 1 && started > 1), "every rank believes to be alone",
             fmt::format("the launcher started {} ranks, but this MPI library sees 1: they belong to different MPIs",
                         started),
             "Start weir-core with the launcher of the MPI that it was built with (`weir-core schema` names it).");
    validate(!asked.ranks || *asked.ranks == ranks, fmt::format("there are {} ranks", ranks),
             fmt::format("{} were asked for", asked.ranks.value_or(0)),
             "Give the launcher the number of ranks of the case file.");
}

std::vector<Warning> judge_launch(LaunchFacts const& facts, Expectation const& asked) {
    std::vector<Warning> warnings;
    judge_cores(facts, warnings);
    judge_placement(facts, asked, warnings);
    if (facts.busy_cores > busy_enough) {
        warnings.push_back({"busy", fmt::format("other programs keep {:.1f} cores busy", facts.busy_cores),
                            "measured while all ranks slept; they take time and bandwidth from the measurement",
                            "Measure on an idle node, or expect wide intervals."});
    }
    return warnings;
}

Json to_json(std::vector<Warning> const& warnings) {
    auto json = Json::array();
    for (auto const& w : warnings) {
        json.push_back({{"code", w.code}, {"problem", w.problem}, {"why", w.why}, {"advice", w.advice}});
    }
    return json;
}

}  // namespace weir
