#include "array_formats/common/together.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <functional>
#include <string_view>

namespace weir::formats {

Together::Together(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
}

void Together::agree() {
    int first = failure_ ? rank_ : ranks_;
    note(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm_));
    if (first < ranks_) {
        throw_failure_of(first);
    }
}

void Together::agree_on(std::string const& said) {
    agree();
    auto const hash = static_cast<std::uint64_t>(std::hash<std::string>{}(said));
    std::array<std::uint64_t, 2> bounds{hash, ~hash};
    note(MPI_Allreduce(MPI_IN_PLACE, bounds.data(), 2, MPI_UINT64_T, MPI_MAX, comm_));
    if (bounds[0] == ~bounds[1]) {
        return;
    }
    // As much of it as a message can show.
    struct Told {
        std::uint64_t hash;
        char text[WEIR_MESSAGE_SIZE];
    } roots{hash, {}};
    said.copy(roots.text, WEIR_MESSAGE_SIZE - 1);
    broadcast(&roots, sizeof roots, 0);
    attempt([&] {
        if (hash != roots.hash) {
            fail(WEIR_DISAGREE, "ranks do not ask for the same",
                 fmt::format("this one: {}; rank 0: {}", said, roots.text),
                 "Pass the same file, names and types on all ranks.");
        }
    });
    agree();
}

void Together::broadcast(void* bytes, std::size_t count, int root) {
    note(MPI_Bcast(bytes, static_cast<int>(count), MPI_BYTE, root, comm_));
}

void Together::note(int status) {
    if (status == MPI_SUCCESS || failure_) {
        return;
    }
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(status, text, &length);
    failure_ = Failure(WEIR_MPI, text);
}

void Together::throw_failure_of(int root) {
    weir_error error{};
    if (failure_) {
        error = failure_->error();
    }
    auto const mine = error;
    MPI_Bcast(&error, sizeof error, MPI_BYTE, root, comm_);
    int others = mine.code == error.code && std::strcmp(mine.message, error.message) == 0 ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &others, 1, MPI_INT, MPI_MAX, comm_);
    error.rank = others == 0 && ranks_ > 1 ? -1 : root;
    throw Failure(error);
}

}  // namespace weir::formats
