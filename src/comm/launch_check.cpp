#include "comm/launch_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

/// A warning is due if others use more than this share of a core; less is the system's own housekeeping.
constexpr double busy_enough = 0.25;

/// False if either is unknown: a launch that hwloc cannot examine gets no warning.
bool more(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) { return a && b && *a > *b; }

void judge_cores(LaunchFacts const& facts, std::vector<Warning>& warnings) {
    for (auto const& node : facts.nodes) {
        auto const cores = node.covers.cores;
        if (!more(node.ranks, cores)) {
            continue;
        }
        warnings.push_back({"oversubscribed",
                            fmt::format("{} ranks share {} cores on {}", node.ranks, *cores, node.host),
                            "ranks also wait for a core",
                            fmt::format("Use at most {} ranks per node for figures that you publish.", *cores)});
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

/// A property that differs from the request, and why it matters.
struct Fault {
    std::string problem;
    std::string why;
};

/// Whether this holds for any rank on its node.
template <class Test>
bool any_rank(LaunchFacts const& facts, Test test) {
    return std::any_of(facts.placement.begin(), facts.placement.end(), [&](Placement const& rank) {
        auto const node = std::find_if(facts.nodes.begin(), facts.nodes.end(),
                                       [&](NodeFacts const& n) { return n.host == rank.host; });
        return node != facts.nodes.end() && test(rank.covers, node->covers);
    });
}

std::optional<Fault> judge_core_binding(LaunchFacts const& facts) {
    if (any_rank(facts, [](auto const& rank, auto const&) { return more(rank.cores, 1); })) {
        return Fault{"ranks are not bound to one core each", "they may move, and share a core while another idles"};
    }
    return {};
}

std::optional<Fault> judge_socket_binding(LaunchFacts const& facts) {
    if (any_rank(facts, [](auto const& rank, auto const&) { return more(rank.packages, 1); })) {
        return Fault{"ranks are not bound to one socket each", "they may move away from the memory that they use"};
    }
    // The node's most used socket has at least the mean of cores; a rank bound to it would have all of them.
    auto const has_the_mean = [](Coverage const& rank, Coverage const& node) {
        return !rank.cores || !node.cores || !node.packages || *rank.cores * *node.packages >= *node.cores;
    };
    if (!facts.placement.empty() && !any_rank(facts, has_the_mean)) {
        return Fault{"ranks are bound to less than a socket each", "the launcher bound them otherwise than asked"};
    }
    return {};
}

/// Unbound ranks may use every CPU that any of them may.
std::optional<Fault> judge_no_binding(LaunchFacts const& facts) {
    if (any_rank(facts, [](auto const& rank, auto const& node) { return more(node.cores, rank.cores); })) {
        return Fault{"ranks are bound to some of the cores", "no binding was asked for"};
    }
    return {};
}

std::optional<Fault> judge_binding(LaunchFacts const& facts, Binding asked) {
    switch (asked) {
        case Binding::core:
            return judge_core_binding(facts);
        case Binding::socket:
            return judge_socket_binding(facts);
        case Binding::none:
            return judge_no_binding(facts);
        case Binding::any:
            break;
    }
    return {};
}

void judge_placement(LaunchFacts const& facts, LaunchExpectation const& asked, std::vector<Warning>& warnings) {
    if (auto const fault = judge_binding(facts, asked.binding)) {
        warnings.push_back({"placement", fault->problem, fault->why, "Check the launcher's binding options."});
    }
}

std::string nodes_in_words(std::uint64_t count) { return fmt::format("{} node{}", count, count == 1 ? "" : "s"); }

/// Times of day that are kept by a network's time differ by milliseconds.
void judge_clocks(LaunchFacts const& facts, std::vector<Warning>& warnings) {
    constexpr double far_apart_s = 1;
    auto const [slow, fast] =
        std::minmax_element(facts.nodes.begin(), facts.nodes.end(),
                            [](NodeFacts const& a, NodeFacts const& b) { return a.clock_ahead_s < b.clock_ahead_s; });
    if (slow == facts.nodes.end() || fast->clock_ahead_s - slow->clock_ahead_s < far_apart_s) {
        return;
    }
    warnings.push_back({"clocks",
                        fmt::format("the time of day on {} is {:.0f} s ahead of that on {}", fast->host,
                                    fast->clock_ahead_s - slow->clock_ahead_s, slow->host),
                        "dates in records and of files do not compare; durations that are measured do",
                        "Let the nodes keep the time of one server (chrony, ntpd)."});
}

}  // namespace

void refuse_broken_launch(std::uint64_t ranks, std::optional<std::uint64_t> launcher_ranks,
                          LaunchExpectation const& asked) {
    auto const started = std::max(launcher_ranks.value_or(1), asked.ranks.value_or(1));
    validate(!(ranks == 1 && started > 1), "every rank believes to be alone",
             fmt::format("the launcher started {} ranks, but this MPI library sees 1: they belong to different MPIs",
                         started),
             "Start weir-core with the launcher of the MPI that it was built with (`weir-core schema` names it).");
    validate(!asked.ranks || *asked.ranks == ranks, fmt::format("there are {} ranks", ranks),
             fmt::format("{} were asked for", asked.ranks.value_or(0)),
             "Give the launcher the number of ranks of the case file.");
}

void refuse_misplaced_launch(LaunchFacts const& facts, LaunchExpectation const& asked) {
    auto const refuse_unless = [](bool is_so, std::string problem) {
        if (!is_so) {
            throw Error({std::move(problem), "the launcher placed the ranks otherwise than asked",
                         "Ask for a job of so many nodes, or check the launcher's mapping options.",
                         ExitCode::cannot_run});
        }
    };
    auto const on = facts.nodes.size();
    refuse_unless(!asked.nodes || *asked.nodes == on,
                  fmt::format("the ranks are on {}, not {}", nodes_in_words(on), asked.nodes.value_or(0)));
    for (auto const& node : facts.nodes) {
        refuse_unless(!asked.ranks_per_node || *asked.ranks_per_node == node.ranks,
                      fmt::format("node {} has {} of the ranks, not {}", node.host, node.ranks,
                                  asked.ranks_per_node.value_or(0)));
    }
}

std::vector<Warning> judge_launch(LaunchFacts const& facts, LaunchExpectation const& asked) {
    std::vector<Warning> warnings;
    judge_cores(facts, warnings);
    judge_placement(facts, asked, warnings);
    judge_clocks(facts, warnings);
    if (facts.busy_cores.value_or(0) > busy_enough) {
        warnings.push_back({"busy", fmt::format("other programs keep {:.1f} cores busy", *facts.busy_cores),
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
