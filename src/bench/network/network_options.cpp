#include "bench/network/network_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bench/network/two_ranks.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/topology.hpp"
#include "core/units.hpp"

namespace weir {
namespace {

std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (auto const& [name, function] : Registry<NetworkFunction>::instance().items()) {
        names.push_back(name);
    }
    return names;
}

/// The last-level cache of this machine, by hwloc; IMB's 8 MB if that does not know.
std::uint64_t last_level_cache() {
    std::uint64_t largest = 0;
    for (auto const& cache : describe_topology().value("caches", Json::array())) {
        largest = std::max(largest, cache.value("size_bytes", std::uint64_t{0}));
    }
    constexpr std::uint64_t of_imb = 8'000'000;
    return largest > 0 ? largest : of_imb;
}

}  // namespace

void NetworkOptions::declare(OptionSet& options) {
    constexpr double longest_s = 1e5;
    constexpr std::uint64_t most_calls = 100'000'000;
    constexpr std::uint64_t most_messages = 1'000'000;
    options.group("function");
    options.add("function", function, "function of MPI, by the name that the Intel MPI Benchmarks give it",
                function_names());
    options.words("function", {{"*", "{}"}});
    options.add("bytes", bytes, "message size, as IMB defines it for the function");
    options.words("bytes", {{"*", "{}"}});
    options.add("imb", choices.imb, "version of IMB whose definitions hold: sizes of Reduce_scatter, roots, starts");
    options.add("counts", choices.counts,
                "messages of functions whose name ends in v: equal, or in proportion to rank + 1");
    options.add("source", choices.source, "receives of PingPong and PingPing from any rank, as IMB's, or the sender");
    options.add("synchronisation", choices.synchronisation,
                "completion of one-sided calls: MPI_Win_fence; post, start, complete, wait; or flush under a lock");
    options.add("partitions", choices.partitions, "equal parts of a message in partitioned calls",
                {std::uint64_t{1}, std::uint64_t{1'000'000}});
    options.add("messages", choices.messages, "of PRTT: messages that rank 0 sends before one comes back",
                {std::uint64_t{1}, most_messages});
    options.add("delay", choices.delay, "of PRTT: time that rank 0 is busy between two of them", {0.0, longest_s});
    options.add("pause", choices.pause, "of PRTT: time that rank 0 is busy before it receives", {0.0, longest_s});
    options.add("late", choices.late, "of PRTT: time that rank 1 is busy before it receives", {0.0, longest_s});
    options.group("ranks");
    options.add("active", active, "ranks that take part, the first of the launch; 0: all");
    options.words("active", {{"0", "all ranks"}, {"*", "{} ranks take part"}});
    options.add("group", group, "ranks of a group; all groups work at the same time, the slowest counts; 0: one group");
    options.add(
        "partner", partner,
        "functions between two ranks, which are taken from the nodes in turn: the rank of the group that rank 0 "
        "sends to",
        {std::uint64_t{1}, {}});
    options.group("memory");
    options.add("cache", cache, "on: the same buffers for every call; off: buffers that no cache holds");
    options.add("cache_bytes", cache_bytes, "with cache off: size of the cache; 0: the largest of this machine");
    options.add("memory", memory,
                "where the buffers lie: each on pages of its own, as neighbours on the heap, or by MPI_Alloc_mem");
    options.add("sent", sent,
                "what a rank sends: kept: what was there before, as IMB; fresh: what it has written just before the "
                "call, which is not timed and comes after a barrier");
    options.group("measuring");
    options.add("start", start,
                "when a call starts: as in IMB, one after the other, after a barrier, or at an agreed time");
    options.add("clock", clock, "of durations: fast, or MPI_Wtime as IMB");
    options.add("calls", calls, "calls of a batch; 0: as IMB, min(1000, 40 MiB / bytes), within a millisecond",
                {std::uint64_t{0}, most_calls});
    options.add("precision", rule.precision,
                "width of the interval of the batches' median, as a share of it, that ends a sample", {0.0, 1.0});
    options.add("budget", budget, "time that ends a sample in any case, after the batch in which it runs out",
                {0.0, longest_s});
    options.add("check", check, "check the data of one more batch of calls, which is not timed");
    repetitions.declare(options);
}

NetworkFunction const& NetworkOptions::checked_function(std::uint64_t ranks) const {
    auto const* found = Registry<NetworkFunction>::instance().find(function);
    expect(found != nullptr, "the choices of the option are the registered functions");
    auto const& facts = found->facts();
    if (!facts.unavailable.empty()) {
        throw Error({fmt::format("this MPI has no {}, which {} needs", facts.unavailable, facts.name),
                     fmt::format("they are of MPI 4; Weir was built with MPI {}.{}", MPI_VERSION, MPI_SUBVERSION),
                     "choose another function, or build Weir with an MPI that has them", ExitCode::cannot_run});
    }
    validate(!facts.keeps_place || cache == BufferCaching::on, fmt::format("{} cannot leave the cache", facts.name),
             "its requests are bound to one place in memory", "choose cache = on");
    validate(sent == Content::kept || start != Start::free, "sent = fresh cannot be with start = free",
             "what is written before each call is not timed", "choose start = barrier");
    need_two_ranks(ranks, "network");
    validate(active <= ranks, fmt::format("active = {} is more than the {} ranks of the launch", active, ranks), "",
             "choose at most as many, or 0 for all");
    validate(active != 1 && group != 1, "one rank has nobody to talk to", "active and group count ranks",
             "choose at least 2");
    auto const taking_part = active_of(ranks);
    validate(group <= taking_part,
             fmt::format("group = {} is more than the {} ranks that take part", group, taking_part), "",
             "choose a smaller group, or 0 for one of all");
    validate(facts.traffic != Traffic::single || partner < group_of(ranks),
             fmt::format("partner = {} is not in a group of {} ranks", partner, group_of(ranks)),
             "ranks of a group count from 0", "choose a smaller partner");
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50U;
    validate(bytes.value <= most_bytes, "no memory holds such a message", format_bytes(bytes) + " are over 1 PiB",
             "choose a smaller bytes");
    validate(facts.has_message || bytes.value == 0, fmt::format("{} has no message", facts.name), "its only size is 0",
             "set bytes to 0B");
    validate(
        bytes.value % facts.element_bytes == 0,
        fmt::format("{} takes multiples of {} bytes", facts.name, facts.element_bytes), "it adds floats",
        fmt::format("choose {}", format_bytes(Bytes((bytes.value / facts.element_bytes + 1) * facts.element_bytes))));
    return *found;
}

std::uint64_t NetworkOptions::cache_to_exceed() const {
    if (cache == BufferCaching::on) {
        return 0;
    }
    return cache_bytes.value > 0 ? cache_bytes.value : last_level_cache();
}

}  // namespace weir
