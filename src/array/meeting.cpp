#include "array/meeting.hpp"

#include <sched.h>

#include <algorithm>
#include <optional>

#include "array/units.hpp"

namespace weir::array {
namespace {

/// A letter that will come, or is to be sent, and how long it is.
struct Announced {
    std::uint64_t rank = 0;
    std::uint64_t bytes = 0;
};

/// Takes an announcement that is there; false where there is none.
bool take_one(Communicator const& comm, int tag, std::vector<Announced>& coming, FirstFailure& failure) {
    int there = 0;
    MPI_Status status;
    comm.note(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm.handle(), &there, &status), "messages cannot be looked for");
    if (there == 0) {
        return false;
    }
    Announced letter{static_cast<std::uint64_t>(status.MPI_SOURCE), 0};
    comm.note(MPI_Recv(&letter.bytes, 1, MPI_UINT64_T, status.MPI_SOURCE, tag, comm.handle(), MPI_STATUS_IGNORE),
              "a message cannot be received");
    failure.attempt([&] { coming.push_back(letter); });
    return true;
}

/// Tells ranks how long the letters to them are, and returns what it is told, by rank.
std::vector<Announced> announce(Communicator const& comm, std::vector<Announced> const& outgoing, int tag,
                                FirstFailure& failure) {
    std::vector<MPI_Request> requests;
    failure.attempt([&] { requests.resize(outgoing.size(), MPI_REQUEST_NULL); });
    for (std::size_t i = 0; i < requests.size(); ++i) {
        comm.note(MPI_Issend(&outgoing[i].bytes, 1, MPI_UINT64_T, static_cast<int>(outgoing[i].rank), tag,
                             comm.handle(), &requests[i]),
                  "a message cannot be sent");
    }
    std::vector<Announced> coming;
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool in_barrier = false;
    for (int all_done = 0; all_done == 0;) {
        if (!take_one(comm, tag, coming, failure)) {
            sched_yield();
        }
        if (in_barrier) {
            comm.note(MPI_Test(&barrier, &all_done, MPI_STATUS_IGNORE), "ranks cannot wait for each other");
            continue;
        }
        int sent = 0;
        auto const status = MPI_Testall(static_cast<int>(requests.size()), requests.data(), &sent, MPI_STATUSES_IGNORE);
        comm.note(status, "a message cannot be sent");
        if (sent != 0 || status != MPI_SUCCESS) {
            comm.note(MPI_Ibarrier(comm.handle(), &barrier), "ranks cannot wait for each other");
            in_barrier = true;
        }
    }
    std::ranges::sort(coming, {}, &Announced::rank);
    return coming;
}

}  // namespace

std::vector<Letter> meet(Communicator const& comm, std::vector<Letter> outgoing, int tag, FirstFailure& failure) {
    std::vector<Announced> lengths;
    failure.attempt([&] {
        for (auto& letter : outgoing) {
            lengths.push_back({letter.rank, letter.bytes.size()});
            letter.bytes.resize(filled_up(letter.bytes.size()));
        }
    });
    if (failure.any()) {
        lengths.clear();
    }
    auto const coming = announce(comm, lengths, tag, failure);
    std::vector<Letter> letters;
    std::vector<MPI_Request> requests;
    std::optional<UnitType> units;
    failure.attempt([&] {
        units.emplace();
        for (auto const& letter : coming) {
            letters.push_back({letter.rank, std::vector<std::byte>(filled_up(letter.bytes))});
        }
        requests.resize(coming.size() + outgoing.size(), MPI_REQUEST_NULL);
    });
    if (comm.max(std::uint64_t{failure.any() || comm.has_trouble() ? 1U : 0U}) != 0) {
        return {};
    }
    auto request = requests.begin();
    for (auto& letter : letters) {
        comm.note(MPI_Irecv(letter.bytes.data(), static_cast<int>(letter.bytes.size() / unit_bytes), units->get(),
                            static_cast<int>(letter.rank), tag, comm.handle(), &*request++),
                  "a message cannot be received");
    }
    for (auto const& letter : outgoing) {
        comm.note(MPI_Isend(letter.bytes.data(), static_cast<int>(letter.bytes.size() / unit_bytes), units->get(),
                            static_cast<int>(letter.rank), tag, comm.handle(), &*request++),
                  "a message cannot be sent");
    }
    comm.note(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "messages did not arrive");
    for (std::size_t i = 0; i < letters.size(); ++i) {
        letters[i].bytes.resize(coming[i].bytes);
    }
    return letters;
}

}  // namespace weir::array
