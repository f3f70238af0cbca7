#include "array/block.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace weir::performance {
namespace {

Error wrong(std::string const& where, std::uint64_t place, double found) {
    return Error({fmt::format("element {} {} is {}, not {}", place, where, found, value_at(place)),
                  "it was written to or read from another place", "", ExitCode::wrong_data});
}

double swapped(double value) {
    auto* const bytes = reinterpret_cast<unsigned char*>(&value);
    std::reverse(bytes, bytes + sizeof value);
    return value;
}

}  // namespace

Block::Block(Communicator of_comm, std::uint64_t of_edge, std::array<std::uint64_t, 3> of_grid)
    : comm(std::move(of_comm)), edge(of_edge), grid(of_grid) {
    auto const ranks = grid[0] * grid[1] * grid[2];
    validate(ranks == comm.size(), fmt::format("a grid of {} ranks for {}", ranks, comm.size()),
             "each rank holds one block", "Start as many ranks as the grid has places.");
    auto rest = comm.rank();
    for (std::size_t d = 3; d-- > 0; rest /= grid[d]) {
        auto const place = rest % grid[d];
        start[d] = place * (edge / grid[d]) + std::min(place, edge % grid[d]);
        count[d] = edge / grid[d] + (place < edge % grid[d] ? 1 : 0);
    }
}

void fill(Block const& block, std::span<double> data) {
    block.each_run([&](std::uint64_t in_file, std::uint64_t in_memory, std::uint64_t length) {
        for (std::uint64_t i = 0; i < length; ++i) {
            data[in_memory + i] = value_at(in_file + i);
        }
    });
}

void check(Block const& block, std::span<double const> data) {
    block.each_run([&](std::uint64_t in_file, std::uint64_t in_memory, std::uint64_t length) {
        for (std::uint64_t i = 0; i < length; ++i) {
            if (data[in_memory + i] != value_at(in_file + i)) {
                throw wrong("in memory", in_file + i, data[in_memory + i]);
            }
        }
    });
}

void check_file(Block const& block, std::string const& path, FilePlace where) {
    auto const file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        throw system_error("cannot open '" + path + "'", errno, "");
    }
    std::unique_ptr<int const, void (*)(int const*)> const closer(&file, [](int const* f) { close(*f); });
    std::vector<double> piece(std::uint64_t{1} << 17);
    auto const share = block.elements_of_file() / block.comm.size() + 1;
    auto const end = std::min(block.elements_of_file(), (block.comm.rank() + 1) * share);
    for (auto at = block.comm.rank() * share; at < end; at += piece.size()) {
        auto const length = std::min<std::uint64_t>(piece.size(), end - at);
        auto const bytes = length * sizeof(double);
        auto const got = pread(file, piece.data(), bytes, static_cast<off_t>(where.offset_bytes + at * sizeof(double)));
        validate(got == static_cast<ssize_t>(bytes), "the file ends before the array", path, "");
        for (std::uint64_t i = 0; i < length; ++i) {
            auto const found = where.other_byte_order ? swapped(piece[i]) : piece[i];
            if (found != value_at(at + i)) {
                throw wrong("in the file", at + i, found);
            }
        }
    }
}

}  // namespace weir::performance
