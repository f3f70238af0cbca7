#include "bench/stall_report.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>

#include "bench/whereabouts.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr std::size_t most_suspects = 6;
constexpr std::size_t most_groups = 6;
constexpr std::size_t longest_name = 80;

/// The states that name a culprit, the surest first; the words of the protocol.
enum class Suspicion { dead, stopped, uninterruptible, sleeping, running };
constexpr std::array<std::string_view, 5> words{"dead", "stopped", "uninterruptible", "sleeping", "running"};

Suspicion suspicion_of(char state) {
    switch (state) {
        case 'Z':
        case 'X':
            return Suspicion::dead;
        case 'T':
        case 't':
            return Suspicion::stopped;
        case 'D':
            return Suspicion::uninterruptible;
        case 'R':
            return Suspicion::running;
        default:
            return Suspicion::sleeping;
    }
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Waiting ranks spin, or sleep, within MPI; within MPI's input and output they may also wait for the file system.
bool waits_for_ranks(RankSeen const& seen) {
    auto const functions = lines_of(seen.calls);
    return !seen.mpi_call.empty() && suspicion_of(seen.state) >= Suspicion::sleeping &&
           std::none_of(functions.begin(), functions.end(), is_file_call);
}

/// A function's name for people: without its arguments.
std::string readable(std::string const& symbol) {
    int status = 0;
    std::unique_ptr<char, decltype(&std::free)> const plain(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    auto name = status == 0 ? std::string(plain.get()) : symbol;
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) {
        name.erase(at, unnamed.size());
    }
    name.resize(std::min({name.find('('), name.size(), longest_name}));
    return name;
}

Json text_or_null(std::string const& text) { return text.empty() ? Json() : Json(text); }

Json suspect(RankSeen const& seen) {
    auto calls = Json::array();
    for (auto const& function : lines_of(seen.calls)) {
        calls.push_back(readable(function));
    }
    return {{"rank", seen.rank},
            {"process", seen.process},
            {"state", words.at(static_cast<std::size_t>(suspicion_of(seen.state)))},
            {"calls", std::move(calls)},
            {"mpi_call", text_or_null(seen.mpi_call)},
            {"kernel_function", text_or_null(seen.kernel_function)},
            {"phase", text_or_null(seen.phase)}};
}

/// Ranks that wait in the same function; the fewest first, since they may wait for something else than the others.
Json groups(std::vector<RankSeen> const& waiting) {
    std::map<std::string, std::vector<std::uint64_t>> by_call;
    for (auto const& seen : waiting) {
        by_call[seen.mpi_call].push_back(seen.rank);
    }
    std::vector<std::pair<std::string, std::vector<std::uint64_t>>> sorted(by_call.begin(), by_call.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](auto const& a, auto const& b) { return a.second.size() < b.second.size(); });
    auto all = Json::array();
    for (auto const& [call, ranks] : sorted) {
        if (all.size() < most_groups) {
            all.push_back({{"mpi_call", call},
                           {"count", ranks.size()},
                           {"first_rank", *std::min_element(ranks.begin(), ranks.end())}});
        }
    }
    return all;
}

}  // namespace

Json stall_line(std::string const& host, double since_s, std::vector<RankSeen> const& ranks) {
    std::vector<RankSeen> suspects;
    std::vector<RankSeen> waiting;
    std::partition_copy(ranks.begin(), ranks.end(), std::back_inserter(waiting), std::back_inserter(suspects),
                        waits_for_ranks);
    std::stable_sort(suspects.begin(), suspects.end(),
                     [](auto const& a, auto const& b) { return suspicion_of(a.state) < suspicion_of(b.state); });
    auto named = Json::array();
    for (std::size_t i = 0; i < std::min(most_suspects, suspects.size()); ++i) {
        named.push_back(suspect(suspects[i]));
    }
    return {{"schema", 1},
            {"kind", "stall"},
            {"host", host},
            {"ranks", ranks.size()},
            {"since_s", since_s},
            {"suspects", std::move(named)},
            {"suspects_in_all", suspects.size()},
            {"waiting", groups(waiting)}};
}

}  // namespace weir
