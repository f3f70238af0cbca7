#pragma once

#include "array/description.hpp"

namespace weir::array {

/// Descriptions from what users say; each throws Failure (WEIR_BAD_ARGUMENT) on what means nothing. See weir/array.h.
Description describe_blocks(int dims, std::int64_t const* shape, std::int64_t const* block, std::int64_t const* grid,
                            std::size_t element_bytes, weir_order);
Description describe_boxes(int dims, std::int64_t const* shape, std::int64_t boxes, std::int64_t const* starts,
                           std::int64_t const* counts, std::size_t element_bytes, weir_order);
Description describe_pieces(std::int64_t elements, std::int64_t pieces, std::int64_t const* offsets,
                            std::int64_t const* lengths, std::size_t element_bytes);
Description describe_replicated(std::int64_t elements, std::size_t element_bytes);

void add_ghosts(Description&, std::int64_t const* before, std::int64_t const* after);
void set_memory_order(Description&, weir_order);
void put_within(Description&, std::int64_t const* larger_shape, std::int64_t const* start);

}  // namespace weir::array
