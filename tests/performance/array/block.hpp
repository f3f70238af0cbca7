#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "comm/communicator.hpp"

namespace weir::performance {

/// This rank's block of a cube of doubles. Index 0 runs fastest, in memory and in the file; numbers are in elements.
/// Ranks stand in the grid as MPI_Cart_create puts them: the last dimension runs fastest.
struct Block {
    /// Blocks as even as they can be. Throws Error where the grid has another number of ranks than the communicator.
    Block(Communicator comm, std::uint64_t edge, std::array<std::uint64_t, 3> grid);

    Communicator comm;
    std::uint64_t edge;
    std::array<std::uint64_t, 3> grid;
    std::array<std::uint64_t, 3> start{};
    std::array<std::uint64_t, 3> count{};

    [[nodiscard]] std::uint64_t elements() const { return count[0] * count[1] * count[2]; }
    [[nodiscard]] std::uint64_t elements_of_file() const { return edge * edge * edge; }

    /// visit(place in the file, place in memory, length) for each piece that is contiguous in both, in order.
    template <class Visit>
    void each_run(Visit visit) const {
        auto const rows = count[0] == edge ? count[1] : 1;
        auto const planes = rows == edge ? count[2] : 1;
        auto const length = count[0] * rows * planes;
        std::uint64_t in_memory = 0;
        for (std::uint64_t k = 0; k < count[2]; k += planes) {
            for (std::uint64_t j = 0; j < count[1]; j += rows) {
                visit(((start[2] + k) * edge + start[1] + j) * edge + start[0], in_memory, length);
                in_memory += length;
            }
        }
    }
};

/// Three numbers as a library's interface takes them.
template <class Number>
std::array<Number, 3> as(std::array<std::uint64_t, 3> const& numbers) {
    return {static_cast<Number>(numbers[0]), static_cast<Number>(numbers[1]), static_cast<Number>(numbers[2])};
}

/// The same for those that name the slowest dimension first.
template <class Number>
std::array<Number, 3> reversed(std::array<std::uint64_t, 3> const& numbers) {
    return as<Number>({numbers[2], numbers[1], numbers[0]});
}

/// What stands at a place of the file: never 0, and nowhere the same.
inline double value_at(std::uint64_t place) { return static_cast<double>(place) + 1; }

void fill(Block const&, std::span<double>);

/// Throws Error where an element is not as fill() makes it. Local.
void check(Block const&, std::span<double const>);

/// Where and how the array lies in a file.
struct FilePlace {
    std::uint64_t offset_bytes = 0;
    bool other_byte_order = false;
};

/// Reads this rank's share of the file by POSIX and throws Error where it is not the array. Local.
void check_file(Block const&, std::string const& path, FilePlace);

}  // namespace weir::performance
