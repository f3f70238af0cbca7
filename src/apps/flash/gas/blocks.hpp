#pragma once

#include <span>
#include <vector>

#include "apps/flash/gas/cells.hpp"
#include "apps/flash/tree/tree.hpp"
#include "comm/communicator.hpp"

namespace weir::flash {

/// The cells of this rank's blocks, without guard cells. Blocks are numbered as in the tree, of all ranks; arguments
/// must be this rank's, unless something else is said. Everything is local.
class Blocks {
  public:
    /// All values are 0. Error (usage) unless `n`, the cells of a block along each axis, is even and at least 8.
    Blocks(Communicator, Tree, Index n);

    [[nodiscard]] Communicator const& comm() const { return comm_; }
    [[nodiscard]] Tree const& tree() const { return tree_; }
    [[nodiscard]] Index n() const { return n_; }
    [[nodiscard]] CellBox interior() const { return {{0, 0, 0}, {n_, n_, n_}}; }

    [[nodiscard]] std::size_t first() const { return firsts_[comm_.rank()]; }
    [[nodiscard]] std::size_t end() const { return firsts_[comm_.rank() + 1]; }
    [[nodiscard]] std::vector<std::size_t> leaves() const;     ///< of this rank
    [[nodiscard]] std::uint64_t owner(std::size_t any) const;  ///< the rank of any block
    [[nodiscard]] bool is_here(std::size_t any) const { return any >= first() && any < end(); }

    /// n^3 values, x fastest.
    [[nodiscard]] std::span<double> values(std::size_t b, std::size_t variable);
    [[nodiscard]] std::span<double const> values(std::size_t b, std::size_t variable) const;
    [[nodiscard]] View<double> cells(std::size_t b) { return contiguous(values(b, 0).data(), interior()); }
    [[nodiscard]] View<double const> cells(std::size_t b) const { return contiguous(values(b, 0).data(), interior()); }

    /// The edge of any block's cells.
    [[nodiscard]] double spacing(std::size_t any) const { return tree_.edge(any) / static_cast<double>(n_); }

    /// The centre of a cell of any block.
    [[nodiscard]] Corner centre(std::size_t any, Triple const& cell) const;

  private:
    Communicator comm_;
    Tree tree_;
    Index n_;
    std::vector<std::size_t> firsts_;  ///< each rank's first block, and the end
    Doubles values_;                   ///< block by block, variable by variable
};

}  // namespace weir::flash
