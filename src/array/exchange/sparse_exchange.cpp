#include "array/exchange/sparse_exchange.hpp"

#include <sched.h>

#include <algorithm>
#include <optional>

#include "array/exchange/message_units.hpp"

namespace weir::array {
namespace {

/// A message to send or receive, and its length.
struct Announced {
    std::uint64_t rank = 0;
    std::uint64_t bytes = 0;
};

/// Receives an announcement that has arrived; false if none has.
bool take_announcement(Communicator const& comm, int tag, std::vector<Announced>& coming, FirstFailure& failure) {
    int there = 0;
    MPI_Status status;
    comm.note(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm.handle(), &there, &status), "messages cannot be looked for");
    if (there == 0) {
        return false;
    }
    Announced message{static_cast<std::uint64_t>(status.MPI_SOURCE), 0};
    comm.note(MPI_Recv(&message.bytes, 1, MPI_UINT64_T, status.MPI_SOURCE, tag, comm.handle(), MPI_STATUS_IGNORE),
              "a message cannot be received");
    failure.attempt([&] { coming.push_back(message); });
    return true;
}

/// Sends each rank the length of the message to it; returns the lengths of those to this rank, by rank.
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
        if (!take_announcement(comm, tag, coming, failure)) {
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

std::vector<Message> sparse_exchange(Communicator const& comm, std::vector<Message> outgoing, int tag,
                                     FirstFailure& failure) {
    std::vector<Announced> lengths;
    failure.attempt([&] {
        for (auto& message : outgoing) {
            lengths.push_back({message.rank, message.bytes.size()});
            message.bytes.resize(filled_up(message.bytes.size()));
        }
    });
    if (failure.any()) {
        lengths.clear();
    }
    auto const coming = announce(comm, lengths, tag, failure);
    std::vector<Message> messages;
    std::vector<MPI_Request> requests;
    std::optional<UnitType> units;
    failure.attempt([&] {
        units.emplace();
        for (auto const& message : coming) {
            messages.push_back({message.rank, std::vector<std::byte>(filled_up(message.bytes))});
        }
        requests.resize(coming.size() + outgoing.size(), MPI_REQUEST_NULL);
    });
    if (comm.max(std::uint64_t{failure.any() || comm.has_trouble() ? 1U : 0U}) != 0) {
        return {};
    }
    auto request = requests.begin();
    for (auto& message : messages) {
        comm.note(MPI_Irecv(message.bytes.data(), static_cast<int>(message.bytes.size() / unit_bytes), units->get(),
                            static_cast<int>(message.rank), tag, comm.handle(), &*request++),
                  "a message cannot be received");
    }
    for (auto const& message : outgoing) {
        comm.note(MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size() / unit_bytes), units->get(),
                            static_cast<int>(message.rank), tag, comm.handle(), &*request++),
                  "a message cannot be sent");
    }
    comm.note(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "messages did not arrive");
    for (std::size_t i = 0; i < messages.size(); ++i) {
        messages[i].bytes.resize(coming[i].bytes);
    }
    return messages;
}

}  // namespace weir::array
