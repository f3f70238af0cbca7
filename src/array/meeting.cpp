#include "array/meeting.hpp"

#include <sched.h>

#include <algorithm>

namespace weir::array {
namespace {

/// Letters go without their length, which the receiver asks of the message itself, in units of this many bytes: so
/// their number fits MPI's int up to 128 GiB.
constexpr std::uint64_t unit = 64;

struct UnitType {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    UnitType() {
        MPI_Type_contiguous(static_cast<int>(unit), MPI_BYTE, &type);
        MPI_Type_commit(&type);
    }
    UnitType(UnitType const&) = delete;
    UnitType& operator=(UnitType const&) = delete;
    ~UnitType() { MPI_Type_free(&type); }
};

/// The length stands before the letter, and zeros fill its last unit.
std::vector<std::byte> enveloped(std::vector<std::byte> const& letter) {
    std::uint64_t const length = letter.size();
    std::vector<std::byte> envelope((sizeof length + length + unit - 1) / unit * unit);
    std::copy_n(reinterpret_cast<std::byte const*>(&length), sizeof length, envelope.begin());
    std::ranges::copy(letter, envelope.begin() + sizeof length);
    return envelope;
}

std::vector<std::byte> opened(std::vector<std::byte> envelope) {
    std::uint64_t length = 0;
    std::copy_n(envelope.begin(), sizeof length, reinterpret_cast<std::byte*>(&length));
    envelope.erase(envelope.begin(), envelope.begin() + sizeof length);
    envelope.resize(length);
    return envelope;
}

/// Takes a letter that is there; false where there is none.
bool take_one(Communicator const& comm, UnitType const& units, int tag, std::vector<Letter>& letters) {
    int there = 0;
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm.handle(), &there, &status), "messages cannot be looked for");
    if (there == 0) {
        return false;
    }
    int count = 0;
    MPI_Get_count(&status, units.type, &count);
    std::vector<std::byte> envelope(static_cast<std::size_t>(count) * unit);
    check_mpi(MPI_Recv(envelope.data(), count, units.type, status.MPI_SOURCE, tag, comm.handle(), MPI_STATUS_IGNORE),
              "a message cannot be received");
    letters.push_back({static_cast<std::uint64_t>(status.MPI_SOURCE), opened(std::move(envelope))});
    return true;
}

}  // namespace

std::vector<Letter> meet(Communicator const& comm, std::vector<Letter> const& outgoing, int tag) {
    UnitType const units;
    std::vector<std::vector<std::byte>> envelopes;
    std::vector<MPI_Request> sends;
    for (auto const& letter : outgoing) {
        envelopes.push_back(enveloped(letter.bytes));
        sends.push_back(MPI_REQUEST_NULL);
        check_mpi(MPI_Issend(envelopes.back().data(), static_cast<int>(envelopes.back().size() / unit), units.type,
                             static_cast<int>(letter.rank), tag, comm.handle(), &sends.back()),
                  "a message cannot be sent");
    }
    std::vector<Letter> letters;
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool in_barrier = false;
    for (int all_done = 0; all_done == 0;) {
        if (!take_one(comm, units, tag, letters)) {
            sched_yield();
        }
        if (in_barrier) {
            MPI_Test(&barrier, &all_done, MPI_STATUS_IGNORE);
            continue;
        }
        int sent = 0;
        MPI_Testall(static_cast<int>(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE);
        if (sent != 0) {
            check_mpi(MPI_Ibarrier(comm.handle(), &barrier), "ranks cannot wait for each other");
            in_barrier = true;
        }
    }
    std::ranges::sort(letters, {}, &Letter::rank);
    return letters;
}

}  // namespace weir::array
