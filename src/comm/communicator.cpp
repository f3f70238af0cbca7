#include "comm/communicator.hpp"

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstring>
#include <new>
#include <numeric>
#include <thread>

#include "core/error.hpp"
#include "core/rank_progress.hpp"

namespace weir {

MpiSession::MpiSession(int& argc, char**& argv) {
    int running = 0;
    MPI_Initialized(&running);
    if (running == 0) {
        int provided = 0;
        // No other thread of ours (the hand-off probe's, a watchdog) ever calls MPI, and more than MPI_THREAD_SINGLE
        // makes each call of Open MPI take locks: 8 bytes between two ranks took 0.31 instead of 0.21 us.
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
        owner_ = true;
    }
}

MpiSession::~MpiSession() {
    int finished = 0;
    MPI_Finalized(&finished);
    if (owner_ && finished == 0) {
        MPI_Finalize();
    }
}

void need_mpi() {
    static int no_arguments = 0;
    static char** none = nullptr;
    static MpiSession const session(no_arguments, none);
}

void check_mpi(int status, char const* problem) {
    note_step();
    if (status == MPI_SUCCESS) {
        return;
    }
    throw Error({problem, words_of_mpi(status), "", ExitCode::cannot_run});
}

std::string words_of_mpi(int status) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    return {text.data(), static_cast<std::size_t>(length)};
}

/// The first error, pending until an agreement reports it.
struct Communicator::Trouble {
    bool any = false;
    int status = MPI_SUCCESS;  ///< this: out of memory
    char const* problem = "";
    void keep(int code, char const* what) {
        if (!any) {
            *this = {true, code, what};
        }
    }
};

/// An MPI communicator, which is freed with its last user.
struct Communicator::Shared {
    MPI_Comm comm = MPI_COMM_NULL;
    bool owned = false;
    std::shared_ptr<Trouble> trouble;

    Shared() = default;
    Shared(Shared const&) = delete;
    Shared& operator=(Shared const&) = delete;
    ~Shared() {
        int finished = 0;
        MPI_Finalized(&finished);
        if (owned && finished == 0) {
            MPI_Comm_free(&comm);
        }
    }
};

/// Memory for a communicator that is about to be created; null on all ranks if any cannot allocate it.
std::shared_ptr<Communicator::Shared> Communicator::room(MPI_Comm among, std::shared_ptr<Trouble> trouble) {
    std::shared_ptr<Shared> shared;
    try {
        shared = std::make_shared<Shared>();
        shared->trouble = trouble ? std::move(trouble) : std::make_shared<Trouble>();
    } catch (std::bad_alloc const&) {
        shared.reset();
    }
    int missing = shared ? 0 : 1;
    auto const status = MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, among);
    if (shared && status != MPI_SUCCESS) {
        shared->trouble->keep(status, "ranks cannot agree");
    }
    return missing == 0 ? shared : nullptr;
}

Communicator::Communicator(std::shared_ptr<Shared> shared, MPI_Comm comm, bool owned) : comm_(std::move(shared)) {
    comm_->comm = comm;
    comm_->owned = owned;
    int value = 0;
    MPI_Comm_rank(comm, &value);
    rank_ = static_cast<std::uint64_t>(value);
    MPI_Comm_size(comm, &value);
    size_ = static_cast<std::uint64_t>(value);
}

Communicator Communicator::world() {
    auto shared = std::make_shared<Shared>();
    shared->trouble = std::make_shared<Trouble>();
    return {std::move(shared), MPI_COMM_WORLD, false};
}

Communicator Communicator::duplicate(MPI_Comm other) {
    auto shared = borrowed(other).comm_;
    MPI_Comm copy = MPI_COMM_NULL;
    check_mpi(MPI_Comm_dup(other, &copy), "a communicator cannot be duplicated");
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    return {std::move(shared), copy, true};
}

Communicator Communicator::borrowed(MPI_Comm other) {
    auto shared = room(other, nullptr);
    if (!shared) {
        throw std::bad_alloc();
    }
    return {std::move(shared), other, false};
}

MPI_Comm Communicator::handle() const { return comm_ ? comm_->comm : MPI_COMM_SELF; }

void Communicator::note(int status, char const* problem) const {
    note_step();
    if (status != MPI_SUCCESS && comm_) {
        comm_->trouble->keep(status, problem);
    }
}

bool Communicator::has_trouble() const { return comm_ && comm_->trouble->any; }

void Communicator::throw_trouble() const {
    if (comm_) {
        check_mpi(comm_->trouble->status, comm_->trouble->problem);
    }
    throw std::bad_alloc();
}

void Communicator::forget_trouble() const {
    if (comm_) {
        *comm_->trouble = {};
    }
}

void Communicator::make_progress() const {
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, handle(), &there, MPI_STATUS_IGNORE);
}

void Communicator::barrier() const {
    if (comm_) {
        note(MPI_Barrier(comm_->comm), "ranks cannot wait for each other");
    }
}

void Communicator::quiet_barrier() const {
    if (!comm_) {
        return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    note(MPI_Ibarrier(comm_->comm, &request), "ranks cannot wait for each other");
    for (int done = 0; done == 0;) {
        auto const status = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        note(status, "ranks cannot wait for each other");
        if (status != MPI_SUCCESS) {
            return;
        }
        if (done == 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(500));
        }
    }
}

double Communicator::max(double value) const {
    if (comm_) {
        note(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm_->comm), "ranks cannot agree");
    }
    return value;
}

std::uint64_t Communicator::max(std::uint64_t value) const {
    max(std::span(&value, 1));
    return value;
}

void Communicator::max(std::span<std::uint64_t> values) const {
    if (!comm_) {
        return;
    }
    // As signed numbers in the same order: libraries compare unsigned ones of 2^63 and more wrongly (MPICH 4.0.2, issue
    // 6083 of pmodels/mpich, and later ones, 7507; Open MPI 4.1.2 to 4.1.4 for one type, issue 10276 of open-mpi/ompi).
    constexpr auto top_bit = std::uint64_t{1} << 63U;
    auto const flip = [values] {
        for (auto& value : values) {
            value ^= top_bit;
        }
    };
    flip();
    note(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX, comm_->comm),
         "ranks cannot agree");
    flip();
}

std::uint64_t Communicator::sum(std::uint64_t value) const {
    sum(std::span(&value, 1));
    return value;
}

void Communicator::sum(std::span<std::uint64_t> values) const {
    if (comm_) {
        note(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM,
                           comm_->comm),
             "ranks cannot agree");
    }
}

void Communicator::all_gather_bytes(void const* mine, std::size_t bytes, void* all) const {
    if (!comm_) {
        std::memcpy(all, mine, bytes);
        return;
    }
    auto const count = static_cast<int>(bytes);
    note(MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, comm_->comm), "ranks cannot exchange values");
}

void Communicator::reduce_bytes(void const* mine, std::size_t bytes, void* result, MPI_User_function* combine) const {
    if (!comm_) {
        return;
    }
    MPI_Datatype element = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &element);
    MPI_Type_commit(&element);
    MPI_Op_create(combine, 1, &op);
    note(MPI_Allreduce(mine, result, 1, element, op, comm_->comm), "ranks cannot agree");
    MPI_Op_free(&op);
    MPI_Type_free(&element);
}

std::vector<std::string> Communicator::all_gather(std::string const& mine) const {
    if (!comm_) {
        return {mine};
    }
    auto const length = static_cast<int>(mine.size());
    auto const lengths = all_gather(length);
    std::vector<int> starts(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
    std::string joined(static_cast<std::size_t>(starts.back() + lengths.back()), '\0');
    note(MPI_Allgatherv(mine.data(), length, MPI_CHAR, joined.data(), lengths.data(), starts.data(), MPI_CHAR,
                        comm_->comm),
         "ranks cannot exchange values");
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        texts.push_back(joined.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
}

std::string Communicator::broadcast(std::string text, std::uint64_t root) const {
    std::uint64_t length = text.size();
    broadcast(std::as_writable_bytes(std::span(&length, 1)), root);
    text.resize(length);
    broadcast(std::as_writable_bytes(std::span(text)), root);
    return text;
}

void Communicator::broadcast(std::span<std::byte> bytes, std::uint64_t root) const {
    if (comm_) {
        note(MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(root), comm_->comm),
             "a rank cannot broadcast to the others");
    }
}

void Communicator::exchange(std::span<std::byte const> outgoing, std::optional<std::uint64_t> to,
                            std::span<std::byte> incoming, std::optional<std::uint64_t> from) const {
    auto const rank_or_none = [](std::optional<std::uint64_t> rank) {
        return rank ? static_cast<int>(*rank) : MPI_PROC_NULL;
    };
    if (comm_) {
        note(MPI_Sendrecv(outgoing.data(), static_cast<int>(outgoing.size()), MPI_BYTE, rank_or_none(to), 0,
                          incoming.data(), static_cast<int>(incoming.size()), MPI_BYTE, rank_or_none(from), 0,
                          comm_->comm, MPI_STATUS_IGNORE),
             "ranks cannot send each other messages");
    }
}

void Communicator::exchange(std::span<Outgoing const> outgoing, std::span<Incoming const> incoming) const {
    if (!comm_) {
        return;
    }
    std::vector<MPI_Request> requests;
    requests.reserve(outgoing.size() + incoming.size());
    auto const start = [&](auto call, auto* data, std::uint64_t bytes, std::uint64_t rank) {
        requests.push_back(MPI_REQUEST_NULL);
        note(call(data, static_cast<int>(bytes), MPI_BYTE, static_cast<int>(rank), 0, comm_->comm, &requests.back()),
             "ranks cannot send each other messages");
    };
    for (auto const& one : incoming) {
        start(MPI_Irecv, one.data.data(), one.data.size(), one.from);
    }
    for (auto const& one : outgoing) {
        start(MPI_Isend, one.data.data(), one.data.size(), one.to);
    }
    note(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
         "ranks cannot send each other messages");
}

/// Some of these ranks, by an MPI call.
template <class Part>
Communicator Communicator::part(Part make) const {
    auto shared = comm_ ? room(comm_->comm, comm_->trouble) : nullptr;
    if (!shared) {
        if (comm_) {
            comm_->trouble->keep(MPI_SUCCESS, "");
        }
        return {};
    }
    MPI_Comm made = MPI_COMM_NULL;
    make(&made);
    return {std::move(shared), made, true};
}

Communicator Communicator::split(std::uint64_t colour) const {
    return part([&](MPI_Comm* made) {
        check_mpi(MPI_Comm_split(comm_->comm, static_cast<int>(colour), static_cast<int>(rank_), made),
                  "cannot split a communicator");
    });
}

Communicator Communicator::node() const {
    return part([&](MPI_Comm* made) {
        check_mpi(MPI_Comm_split_type(comm_->comm, MPI_COMM_TYPE_SHARED, static_cast<int>(rank_), MPI_INFO_NULL, made),
                  "cannot find the ranks of this node");
    });
}

}  // namespace weir
