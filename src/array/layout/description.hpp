#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "array/layout/share.hpp"
#include "comm/collective_error_c.hpp"

namespace weir::array {

using Indices = std::vector<std::int64_t>;  ///< one value a dimension, in the order of the array's indices

enum class Distribution { blocks, boxes, pieces, replicated };

/// A rank, and the size of its communicator.
struct CommRank {
    std::uint64_t rank = 0;
    std::uint64_t ranks = 1;
};

/// How an array is distributed, as one rank sees it. User input is checked at the call that takes it; see weir/array.h.
struct Description {
    Distribution distribution = Distribution::blocks;
    weir_order order = WEIR_C_ORDER;
    weir_order memory_order = WEIR_C_ORDER;
    std::uint64_t element_bytes = 1;
    Indices shape;
    Indices block;                        ///< for blocks: 0 is an even block
    Indices grid;                         ///< empty, or 0 along a dimension: chosen by the library
    std::vector<Indices> starts, counts;  ///< for boxes
    SharedPieces pieces;                  ///< for pieces; of arrays with equal lists the same one
    std::uint64_t piece_unit = 1;         ///< bytes of their unit
    Indices before, after;                ///< ghost elements; empty: none
    Indices larger_shape, larger_start;   ///< empty: the array is not part of a larger one
    std::vector<std::byte> fill{};        ///< of elements that no rank writes; empty: zeros
    std::optional<Failure> failure{};     ///< from an earlier call

    /// Elements times their bytes.
    [[nodiscard]] std::uint64_t bytes() const;

    /// Bytes that the array takes in a file: those of the larger array if it is part of one.
    [[nodiscard]] std::uint64_t file_bytes() const;

    /// The properties that must agree on all ranks, as text.
    [[nodiscard]] std::string summary() const;
};

/// The grid of ranks, given or chosen. Throws Failure if it does not have this many ranks.
Indices grid_of(Description const&, std::uint64_t ranks);

/// weir::square_grid() of indices.
Indices square_grid(Indices const& shape, std::uint64_t ranks, Indices const& given = {});

/// A rank's share in the plan's space, where the array begins at `origin`. Rank 0 writes a replicated array, all ranks
/// read it.
enum class Use { write, read };
Share share_of(Description const&, CommRank, Use, std::uint64_t array, std::uint64_t origin);

/// Bytes of the local array.
std::uint64_t local_bytes(Description const&, CommRank);

/// First index and number of elements along each dimension, for block distributions.
std::pair<Indices, Indices> local_block(Description const&, CommRank);

/// The section of the larger array that the array is, in bytes of the file; nothing if it is not part of one.
std::optional<Section> place_in_larger(Description const&);

/// Descriptions from user input; each throws Failure (WEIR_BAD_ARGUMENT) if it is invalid. See weir/array.h.
Description describe_blocks(int dims, std::int64_t const* shape, std::int64_t const* block, std::int64_t const* grid,
                            std::size_t element_bytes, weir_order);
Description describe_boxes(int dims, std::int64_t const* shape, std::int64_t boxes, std::int64_t const* starts,
                           std::int64_t const* counts, std::size_t element_bytes, weir_order);
Description describe_pieces(std::int64_t elements, std::int64_t pieces, std::int64_t const* offsets,
                            std::int64_t const* lengths, std::size_t element_bytes);
Description describe_replicated(std::int64_t elements, std::size_t element_bytes);
Description describe_alike(Description const&, std::size_t element_bytes);

void add_ghosts(Description&, std::int64_t const* before, std::int64_t const* after);
void put_within(Description&, std::int64_t const* larger_shape, std::int64_t const* start);

}  // namespace weir::array
