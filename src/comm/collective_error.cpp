#include "comm/collective_error.hpp"

#include <new>

#include "core/interrupt.hpp"
#include "core/json.hpp"

namespace weir {

std::uint64_t vote_for(Communicator const& comm, int gravity) {
    return gravity == 0 ? 0 : static_cast<std::uint64_t>(gravity) * comm.size() + (comm.size() - 1 - comm.rank());
}

std::optional<std::uint64_t> elected(Communicator const& comm, std::uint64_t greatest_vote) {
    return greatest_vote == 0 ? std::nullopt : std::optional(comm.size() - 1 - greatest_vote % comm.size());
}

namespace {

std::string pack(Diagnosis const& d) {
    auto const rank = d.rank ? Json(*d.rank) : Json();
    return json_text({d.problem, d.reason, d.suggestion, static_cast<int>(d.exit_code), rank, d.details});
}

/// `rank`: the rank it comes from, unless the diagnosis names the rank of an earlier agreement.
Diagnosis unpack(std::string const& text, std::uint64_t rank) {
    auto const json = parse_json(text);
    return {json[0].get<std::string>(),
            json[1].get<std::string>(),
            json[2].get<std::string>(),
            static_cast<ExitCode>(json[3].get<int>()),
            json[4].is_null() ? rank : json[4].get<std::uint64_t>(),
            json[5].get<std::string>()};
}

}  // namespace

void agree(Communicator const& comm, std::optional<Diagnosis> const& brought) {
    auto mine = brought;
    if (comm.has_trouble()) {
        keep_failure(mine, [&] { comm.throw_trouble(); });
        comm.forget_trouble();
    }
    if (mine && mine->exit_code == ExitCode::cannot_run && stop_requested.load(std::memory_order_relaxed)) {
        mine = interruption();  // files that others remove once they are stopped are missing to who is on the way
    }
    auto const votes = comm.max(vote_for(comm, mine ? static_cast<int>(mine->exit_code) : 0));
    if (auto const rank = elected(comm, votes)) {
        throw Error(unpack(comm.broadcast(mine ? pack(*mine) : "", *rank), *rank));
    }
}

}  // namespace weir
