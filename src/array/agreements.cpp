#include "array/agreements.hpp"

#include <fmt/format.h>

#include <functional>
#include <limits>

#include "array/exchange_parts.hpp"

namespace weir::array {

void check_buffers(Share const& share, void* const* buffers) {
    for (auto const& part : share) {
        bool const there = buffers != nullptr && buffers[part.array()] != nullptr;
        require(there || part.bytes() == 0, WEIR_BAD_ARGUMENT, [&] {
            return std::array{fmt::format("the buffer of array {} is null", part.array()),
                              fmt::format("this rank holds {} bytes of it", part.bytes()),
                              std::string("Pass the local array.")};
        });
    }
}

void check_place(Arrays const& arrays, char const* path, FileLayout const& layout) {
    require(path != nullptr && *path != 0, WEIR_BAD_ARGUMENT, [] {
        return std::array<std::string, 3>{"no file is named", "the path is null or empty", "Pass a path."};
    });
    for (std::size_t i = 0; i < layout.offsets.size(); ++i) {
        auto const offset = layout.offsets[i];
        require(offset >= 0, WEIR_BAD_ARGUMENT, [&] {
            return std::array{fmt::format("a file has no byte {}", offset), std::string("it is negative"),
                              std::string("Offsets count from 0.")};
        });
        auto const bytes = arrays.descriptions[i].file_bytes();
        auto const end = static_cast<std::uint64_t>(offset) + bytes;
        require(end <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()), WEIR_BAD_ARGUMENT, [&] {
            return std::array{fmt::format("array {} would end beyond byte 2^63", i),
                              fmt::format("it has {} bytes, from byte {} on", bytes, offset),
                              std::string("No file is so long.")};
        });
    }
    for (std::size_t i = 0; i < layout.numbers.size(); ++i) {
        auto const element = static_cast<std::int64_t>(arrays.descriptions[i].element_bytes);
        auto const number = layout.numbers[i];
        require(number > 0 && element % number == 0, WEIR_BAD_ARGUMENT, [&] {
            return std::array{fmt::format("array {} does not consist of numbers of {} bytes", i, number),
                              fmt::format("its elements have {} bytes", element),
                              std::string("Pass 1 for what has no byte order.")};
        });
    }
}

void agree_on_place(Plan& plan, char const* path, FileLayout const& layout, FirstFailure const& failure) {
    auto const& comm = plan.comm();
    std::string mine = path == nullptr ? "" : path;
    for (auto const offset : layout.offsets) {
        mine += fmt::format(", byte {}", offset);
    }
    for (auto const number : layout.numbers) {
        mine += fmt::format(", numbers of {} bytes reversed", number);
    }
    auto const hash = static_cast<std::uint64_t>(std::hash<std::string>{}(mine));
    Stopwatch const watch(plan.times.wait);
    auto const [vote, greatest, least] = plan.assembly().greatest({failure.vote(comm), hash, ~hash});
    failure.throw_elected(comm, vote);
    if (greatest == ~least) {
        return;
    }
    auto const roots = comm.broadcast(mine);
    FirstFailure differs;
    differs.attempt([&] {
        require(mine == roots, WEIR_DISAGREE, [&] {
            return std::array{std::string("ranks name different files or places in them"),
                              fmt::format("rank {}: {}; rank 0: {}", comm.rank(), mine, roots),
                              std::string("Pass the same on all ranks.")};
        });
    });
    differs.agree(comm);
}

void check_alike(Plan const& a, Plan const& b) {
    int result = MPI_UNEQUAL;
    check_mpi(MPI_Comm_compare(a.comm().handle(), b.comm().handle(), &result), "communicators cannot be compared");
    require(result == MPI_CONGRUENT || result == MPI_IDENT, WEIR_OTHER_COMM, [] {
        return std::array<std::string, 3>{"the plans belong to different communicators",
                                          "their ranks are not the same, or not in the same order",
                                          "Make both plans with one communicator."};
    });
    auto const& x = a.arrays().descriptions;
    auto const& y = b.arrays().descriptions;
    bool alike = x.size() == y.size();
    for (std::size_t i = 0; alike && i < x.size(); ++i) {
        alike = x[i].shape == y[i].shape && x[i].element_bytes == y[i].element_bytes &&
                (x[i].order == y[i].order || x[i].shape.size() == 1);
    }
    require(alike, WEIR_BAD_ARGUMENT, [] {
        return std::array<std::string, 3>{"the plans are of different arrays",
                                          "their number, shapes, element sizes or orders differ",
                                          "Describe the same arrays in both, distributed as you like."};
    });
}

}  // namespace weir::array
