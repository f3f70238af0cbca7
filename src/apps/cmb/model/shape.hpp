#pragma once

#include <cstdint>
#include <vector>

#include "bench/compute/linear/block_cyclic.hpp"
#include "pattern/rank.hpp"

namespace weir::cmb {

/// Among which ranks a matrix is divided, block-cyclically on a square grid of them, row by row: all, or those of each
/// gang. A gang is consecutive ranks.
enum class Among { all, gang };

/// The sizes of a problem, and of what each rank has of a matrix, in memory and in files. Pure, as all here.
///
/// A rank's parts of all matrices lie one after the other, its region: in a file of its own, or in the file of all
/// ranks in the order of ranks. A gang's part takes the places of as many parts of all ranks as there are gangs.
struct Shape {
    std::uint64_t ranks = 1;
    std::uint64_t pixels = 1024;  ///< rows, and columns, of each matrix of doubles
    std::uint64_t bins = 8;       ///< matrices
    std::uint64_t gangs = 1;
    std::uint64_t block = 64;
    std::uint64_t alignment = 4096;  ///< of a part in files, in bytes

    [[nodiscard]] std::uint64_t ranks_of(Among among) const { return among == Among::all ? ranks : ranks / gangs; }
    [[nodiscard]] std::uint64_t side(Among) const;  ///< of the grid of ranks
    [[nodiscard]] std::uint64_t row_of(Among, Rank) const;
    [[nodiscard]] std::uint64_t column_of(Among, Rank) const;
    [[nodiscard]] BlockCyclic along(Among among) const { return {pixels, block, side(among)}; }
    [[nodiscard]] std::uint64_t elements(Among, Rank) const;  ///< of this rank's part of a matrix

    [[nodiscard]] std::uint64_t gang_of(Rank rank) const { return rank.value / ranks_of(Among::gang); }
    [[nodiscard]] std::uint64_t rounds() const { return bins / gangs; }  ///< matrices of each gang

    [[nodiscard]] std::uint64_t place_bytes() const;  ///< in a region, for a part of all ranks
    [[nodiscard]] std::uint64_t region_bytes() const { return bins * place_bytes(); }
};

/// Refuses sizes that do not fit each other (Error, usage).
void validate_shape(Shape const&);

/// The largest block up to 64 with which the ranks' parts are equal; where only tiny ones do that, 64 or what leaves
/// each rank a block.
std::uint64_t usual_block(std::uint64_t pixels, std::uint64_t ranks);

/// A rank's part of a matrix, column by column: which rows and columns of the matrix it has.
struct MatrixPart {
    MatrixPart(Shape const&, Among, Rank);

    /// visit(place, row, column) for each element, in memory order.
    template <class Visit>
    void each(Visit visit) const {
        std::size_t place = 0;
        for (auto const column : columns) {
            for (auto const row : rows) {
                visit(place++, row, column);
            }
        }
    }

    std::vector<std::uint64_t> rows, columns;
};

}  // namespace weir::cmb
