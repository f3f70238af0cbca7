#include "array/survey.hpp"

#include <algorithm>

#include "array/machine_survey.hpp"

namespace weir::array {
namespace {

/// What the ranks have, added up.
struct Tally {
    Load write, read;

    static void add(Load& sum, Load const& other) {
        sum.bytes += other.bytes;
        sum.runs += other.runs;
        sum.most_runs = std::max(sum.most_runs, other.most_runs);
    }
    void add(Tally const& other) {
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

/// Bytes of the contiguous pieces that the ranks of a node hold together.
std::uint64_t group_run_bytes(Communicator const& comm, Arrays const& arrays, Share const& share, Load const& load,
                              std::uint64_t group, FirstFailure& failure) {
    auto const team = group_team(comm, arrays, Use::write, group, failure);
    auto const held = team.comm.sum(bytes_of(share));
    auto const pieces =
        held == team.region.bytes() ? team.region.pieces() : held / std::max<std::uint64_t>(1, load.run_bytes());
    return load.bytes / std::max<std::uint64_t>(1, comm.sum(team.comm.is_root() ? pieces : 0));
}

}  // namespace

bool has_two_shares(Arrays const& arrays) {
    return std::ranges::any_of(arrays.descriptions,
                               [](auto const& d) { return d.distribution == Distribution::replicated; });
}

PlanFacts survey(Communicator const& comm, Communicator const& node, Arrays const& arrays, PlanOptions const& options) {
    Place const place{comm.rank(), comm.size()};
    auto facts = survey_machine(comm, node, options, options.directory);
    facts.bytes = arrays.bytes();
    facts.two_shares = has_two_shares(arrays);

    Tally mine;
    Share share;
    FirstFailure failure;
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
    failure.agree(comm);
    return facts;
}

}  // namespace weir::array
