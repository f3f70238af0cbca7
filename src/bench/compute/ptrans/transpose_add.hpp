#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/compute/linear/node_buffer.hpp"
#include "bench/compute/linear/process_grid.hpp"
#include "bench/compute/ptrans/grid_shape.hpp"
#include "bench/compute/ptrans/seen_transpose.hpp"

namespace weir {

/// A <- beta A + alpha B^T. What a rank sees of another's B it takes from there; other pairs of ranks that share blocks
/// send messages: packed transposed, in parts that stay in a cache, while others are on their way.
class TransposeAdd {
  public:
    /// Local. `part_bytes`: of a message, at most, but a block at least. `b` has room for this rank's part of B, whose
    /// columns are `local_rows` apart.
    TransposeAdd(ProcessGrid const&, GridShape const&, NodeBuffer const& b, std::uint64_t part_bytes);

    TransposeAdd(TransposeAdd const&) = delete;
    TransposeAdd& operator=(TransposeAdd const&) = delete;

    /// Of all ranks' B and this rank's part of A, whose columns are `local_rows` apart. B must have been written before
    /// a barrier, and may be changed after one. Collective.
    void run(double alpha, double beta, double* a);

  private:
    /// Blocks (I, J) of A that one rank has and whose transposed ones in B another has that it does not see: all of
    /// these I and J.
    struct SharedBlocks {
        std::uint64_t rank = 0;              ///< the other one
        std::vector<std::uint64_t> rows;     ///< block rows I of A
        std::vector<std::uint64_t> columns;  ///< block columns J of A
    };
    /// Some of a part's blocks.
    struct BlockMessage {
        std::uint64_t rank = 0;
        std::span<std::uint64_t const> rows;
        std::span<std::uint64_t const> columns;
    };
    struct InFlight {
        std::vector<double> numbers;
        BlockMessage message;
    };

    [[nodiscard]] std::vector<SharedBlocks> parts(bool sends) const;
    [[nodiscard]] std::vector<BlockMessage> messages(std::vector<SharedBlocks> const&, std::uint64_t part_bytes) const;
    [[nodiscard]] std::uint64_t numbers_in(BlockMessage const&) const;
    [[nodiscard]] std::uint64_t width(std::uint64_t block) const;
    void pack(BlockMessage const&, double* numbers) const;
    void add(BlockMessage const&, double const* numbers, double alpha, double beta, double* a) const;

    ProcessGrid const& grid_;
    GridShape shape_;
    NodeBuffer const& b_;
    SeenTranspose seen_;
    std::vector<SharedBlocks> sent_parts_;
    std::vector<SharedBlocks> received_parts_;
    std::vector<BlockMessage> sent_;
    std::vector<BlockMessage> received_;
};

}  // namespace weir
