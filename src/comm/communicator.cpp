#include "comm/communicator.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

#include "core/error.hpp"

namespace weir {

void check_mpi(int status, char const* problem) {
    if (status == MPI_SUCCESS) {
        return;
    }
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    throw Error({problem, std::string(text.data(), static_cast<std::size_t>(length)), "", ExitCode::cannot_run});
}

Communicator::Communicator(MPI_Comm comm, bool owned)
    : comm_(new MPI_Comm(comm), [owned](MPI_Comm* c) {
          int finished = 0;
          MPI_Finalized(&finished);
          if (owned && finished == 0) {
              MPI_Comm_free(c);
          }
          delete c;
      }) {
    int value = 0;
    MPI_Comm_rank(comm, &value);
    rank_ = static_cast<std::uint64_t>(value);
    MPI_Comm_size(comm, &value);
    size_ = static_cast<std::uint64_t>(value);
}

Communicator Communicator::world() { return Communicator(MPI_COMM_WORLD, false); }

Communicator Communicator::duplicate(MPI_Comm other) {
    MPI_Comm copy = MPI_COMM_NULL;
    check_mpi(MPI_Comm_dup(other, &copy), "a communicator cannot be duplicated");
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    return Communicator(copy, true);
}

MPI_Comm Communicator::handle() const { return comm_ ? *comm_ : MPI_COMM_SELF; }

void Communicator::barrier() const {
    if (comm_) {
        MPI_Barrier(*comm_);
    }
}

void Communicator::quiet_barrier() const {
    if (!comm_) {
        return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(*comm_, &request);
    for (int done = 0; done == 0;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done == 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(500));
        }
    }
}

double Communicator::max(double value) const {
    if (comm_) {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, *comm_);
    }
    return value;
}

std::uint64_t Communicator::max(std::uint64_t value) const {
    if (comm_) {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MAX, *comm_);
    }
    return value;
}

void Communicator::max(std::span<std::uint64_t> values) const {
    if (comm_) {
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_MAX, *comm_);
    }
}

std::uint64_t Communicator::sum(std::uint64_t value) const {
    if (comm_) {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, *comm_);
    }
    return value;
}

void Communicator::all_gather_bytes(void const* mine, std::size_t bytes, void* all) const {
    if (!comm_) {
        std::memcpy(all, mine, bytes);
        return;
    }
    auto const count = static_cast<int>(bytes);
    MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, *comm_);
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
    MPI_Allreduce(mine, result, 1, element, op, *comm_);
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
    MPI_Allgatherv(mine.data(), length, MPI_CHAR, joined.data(), lengths.data(), starts.data(), MPI_CHAR, *comm_);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        texts.push_back(joined.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
}

std::string Communicator::broadcast(std::string text, std::uint64_t root) const {
    if (!comm_) {
        return text;
    }
    std::uint64_t length = text.size();
    MPI_Bcast(&length, 1, MPI_UINT64_T, static_cast<int>(root), *comm_);
    text.resize(length);
    MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, static_cast<int>(root), *comm_);
    return text;
}

Communicator Communicator::split(std::uint64_t colour) const {
    if (!comm_) {
        return {};
    }
    MPI_Comm part = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(*comm_, static_cast<int>(colour), static_cast<int>(rank_), &part),
              "cannot split a communicator");
    return Communicator(part, true);
}

Communicator Communicator::node() const {
    if (!comm_) {
        return {};
    }
    MPI_Comm part = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(*comm_, MPI_COMM_TYPE_SHARED, static_cast<int>(rank_), MPI_INFO_NULL, &part),
              "cannot find the ranks of this node");
    return Communicator(part, true);
}

}  // namespace weir
