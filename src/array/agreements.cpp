#include "array/agreements.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <limits>
#include <span>

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

namespace {

/// Have all ranks the same number?
bool alike(Communicator const& comm, std::uint64_t mine) {
    std::array<std::uint64_t, 2> both{mine, ~mine};
    comm.max(both);
    return both[0] == ~both[1];
}

}  // namespace

void agree_on_text(Communicator const& comm, std::string const& mine, char const* problem, char const* suggestion) {
    if (alike(comm, std::hash<std::string>{}(mine))) {
        return;
    }
    // As much of it as a message can show.
    struct Told {
        std::uint64_t hash;
        char text[WEIR_MESSAGE_SIZE];
    } roots{std::hash<std::string>{}(mine), {}};
    mine.copy(roots.text, sizeof roots.text - 1);
    comm.broadcast(std::as_writable_bytes(std::span(&roots, 1)));
    FirstFailure differs;
    differs.attempt([&] {
        require(std::hash<std::string>{}(mine) == roots.hash, WEIR_DISAGREE, [&] {
            return std::array{std::string(problem),
                              fmt::format("rank {}: {}; rank 0: {}", comm.rank(), mine, roots.text),
                              std::string(suggestion)};
        });
    });
    differs.agree(comm);
}

void agree_on_texts(Communicator const& comm, std::span<std::string const> mine, char const* problem,
                    char const* suggestion) {
    std::uint64_t all = 0;
    for (auto const& text : mine) {
        all = all * 31 + std::hash<std::string>{}(text);
    }
    if (!alike(comm, all)) {
        for (auto const& text : mine) {
            agree_on_text(comm, text, problem, suggestion);
        }
    }
}

void agree_on_place(Plan& plan, char const* path, FileLayout const& layout, FirstFailure& failure) {
    auto const& comm = plan.comm();
    std::string mine;
    failure.attempt([&] {
        mine = path == nullptr ? "" : path;
        for (auto const offset : layout.offsets) {
            mine += fmt::format(", byte {}", offset);
        }
        for (auto const number : layout.numbers) {
            mine += fmt::format(", numbers of {} bytes reversed", number);
        }
    });
    auto const hash = static_cast<std::uint64_t>(std::hash<std::string>{}(mine));
    Stopwatch const watch(plan.times.wait);
    auto const [vote, greatest, least] = plan.assembly().greatest({failure.vote(comm), hash, ~hash});
    failure.throw_elected(comm, vote);
    if (greatest != ~least) {
        agree_on_text(comm, mine, "ranks name different files or places in them", "Pass the same on all ranks.");
    }
}

void check_alike(Plan const& a, Plan const& b) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(a.comm().handle(), b.comm().handle(), &result);
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
