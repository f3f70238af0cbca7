#include "array/planner/survey.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <span>

#include "comm/collective_error_c.hpp"
#include "core/proc.hpp"
#include "core/text_file.hpp"

namespace weir::array {

namespace {

/// Processors that the ranks of a node may use together.
struct Processors {
    std::array<std::uint64_t, 64> word{};

    void add(Processors const& other) {
        for (std::size_t i = 0; i < word.size(); ++i) {
            word[i] |= other.word[i];
        }
    }
    [[nodiscard]] std::uint64_t count() const {
        std::uint64_t sum = 0;
        for (auto const w : word) {
            sum += static_cast<std::uint64_t>(__builtin_popcountll(w));
        }
        return sum;
    }
};

Processors allowed_processors() {
    Processors allowed;
#ifdef __linux__
    static_assert(sizeof(cpu_set_t) <= sizeof allowed.word);
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0) {
        std::memcpy(allowed.word.data(), &set, sizeof set);
    }
#endif
    return allowed;
}

/// Reduced over all nodes; `fewest` and `least` are minima.
struct Nodes {
    std::uint64_t nodes = 0;
    std::uint64_t roots_cache = 0;  ///< rank 0's, and 0 of the others
    std::uint64_t fewest_cores = ~std::uint64_t{0};
    std::uint64_t least_memory = ~std::uint64_t{0};

    void add(Nodes const& other) {
        nodes += other.nodes;
        roots_cache += other.roots_cache;
        fewest_cores = std::min(fewest_cores, other.fewest_cores);
        least_memory = std::min(least_memory, other.least_memory);
    }
};

/// Rank 0's value, on all ranks.
template <class Plain>
Plain roots(Communicator const& comm, Plain const& mine) {
    Plain all = mine;
    comm.broadcast(std::as_writable_bytes(std::span(&all, 1)));
    return all;
}

std::uint64_t cache_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
    return static_cast<std::uint64_t>(std::max<long>(0, ::sysconf(_SC_LEVEL2_CACHE_SIZE)));
#else
    return 0;
#endif
}

/// Rank 0 reads the file; all ranks parse it.
void take_profile(Communicator const& comm, std::string const& name, MachineProfile& profile, FirstFailure& failure) {
    std::string text;
    if (comm.is_root()) {
        failure.attempt([&] { text = read_named_file(name, "the machine profile " + name, "Is it the right name?"); });
    }
    std::uint64_t const length = roots(comm, std::uint64_t{text.size()});
    failure.attempt([&] { text.resize(length); });
    failure.agree(comm);
    comm.broadcast(std::as_writable_bytes(std::span(text)));
    failure.attempt([&] { read_profile(text, name, profile); });
}

PlanFacts facts_of_machine(Communicator const& comm, Communicator const& node, PlanOptions const& options,
                           std::string const& place, FirstFailure& failure) {
    Nodes mine;
    mine.nodes = node.is_root() ? 1 : 0;
    mine.roots_cache = comm.is_root() ? cache_bytes() : 0;
    mine.fewest_cores = std::max<std::uint64_t>(1, node.add_up(allowed_processors()).count());
    failure.attempt([&] { mine.least_memory = available_memory().value_or(Bytes{0}).value; });
    auto const all = comm.add_up(mine);
    PlanFacts facts;
    facts.ranks = comm.size();
    facts.nodes = all.nodes;
    facts.cores = all.fewest_cores;
    facts.memory_bytes = all.least_memory;
    facts.cache_bytes = all.roots_cache;
    if (!place.empty()) {
        if (comm.is_root()) {
            failure.attempt([&] { facts.file_system = look_at(place); });
        }
        facts.file_system = roots(comm, facts.file_system);
    }
    failure.attempt([&] { facts.profile = usual_profile(facts.file_system, facts.nodes); });
    if (!options.profile.empty()) {
        take_profile(comm, options.profile, facts.profile, failure);
    }
    return facts;
}

}  // namespace

PlanFacts survey_machine(Communicator const& comm, Communicator const& node, PlanOptions const& options,
                         std::string const& place) {
    FirstFailure failure;
    auto facts = facts_of_machine(comm, node, options, place, failure);
    failure.agree(comm);
    return facts;
}

namespace {

/// The ranks' loads, summed.
struct SummedLoads {
    Load write, read;

    static void add(Load& sum, Load const& other) {
        sum.bytes += other.bytes;
        sum.runs += other.runs;
        sum.most_runs = std::max(sum.most_runs, other.most_runs);
    }
    void add(SummedLoads const& other) {
        add(write, other.write);
        add(read, other.read);
    }
};

Load load_of(Share const& share) {
    Load load;
    for (auto const& part : share) {
        load.bytes += part.bytes();
        load.runs += count_runs(part);
    }
    load.most_runs = load.runs;
    return load;
}

/// Mean contiguous piece that the ranks of a node hold jointly.
std::uint64_t group_run_bytes(Communicator const& comm, Arrays const& arrays, Share const& share, Load const& load,
                              std::uint64_t group_ranks, FirstFailure& failure) {
    auto const group = group_of_node(comm, arrays, Use::write, group_ranks, failure);
    auto const held = group.comm.sum(bytes_of(share));
    auto const pieces =
        held == group.region.bytes() ? group.region.pieces() : held / std::max<std::uint64_t>(1, load.run_bytes());
    return load.bytes / std::max<std::uint64_t>(1, comm.sum(group.comm.is_root() ? pieces : 0));
}

}  // namespace

bool has_two_shares(Arrays const& arrays) {
    return std::ranges::any_of(arrays.descriptions,
                               [](auto const& d) { return d.distribution == Distribution::replicated; });
}

bool may_have_holes(Arrays const& arrays) {
    return std::ranges::any_of(arrays.descriptions, [](auto const& d) {
        return d.distribution == Distribution::boxes || d.distribution == Distribution::pieces;
    });
}

/// Throws Failure unless rank 0 finds this directory, if one is named. Collective.
void check_directory(Communicator const& comm, std::string const& directory) {
    if (directory.empty()) {
        return;
    }
    FirstFailure failure;
    failure.on_root(comm, [&] {
        std::error_code error;
        bool const found = std::filesystem::is_directory(directory, error);
        if (!found) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("the option directory={} names no directory", directory),
                 error ? error.message() : "it is a file",
                 "Name the one that the dumps are written to, or leave the option out.");
        }
    });
}

PlanFacts survey(Communicator const& comm, Communicator const& node, Arrays const& arrays, PlanOptions const& options,
                 FirstFailure& failure) {
    CommRank const place{comm.rank(), comm.size()};
    check_directory(comm, options.directory);
    auto facts = facts_of_machine(comm, node, options, options.directory, failure);
    facts.bytes = arrays.bytes();
    facts.two_shares = has_two_shares(arrays);
    facts.fills_holes = options.holes == HoleUse::fill && may_have_holes(arrays);

    SummedLoads mine;
    Share share;
    failure.attempt([&] {
        share = arrays.share(place, Use::write);
        mine.write = load_of(share);
        mine.read = facts.two_shares ? load_of(arrays.share(place, Use::read)) : mine.write;
        if (auto const row = row_of(arrays, place, options.target.value)) {
            facts.piece_bytes = row->piece_bytes;
            facts.rows = row->rows;
        }
    });
    auto const all = comm.add_up(mine);
    facts.write = all.write;
    facts.read = all.read;

    auto const group = std::max<std::uint64_t>(1, facts.ranks / facts.nodes);
    if (options.method == Method::automatic && facts.nodes > 1 && group > 1) {
        facts.group_run_bytes = group_run_bytes(comm, arrays, share, facts.write, group, failure);
    }
    return facts;
}

}  // namespace weir::array
