#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir {

/// The indices along one dimension that a rank holds: blocks of `block` indices, `stride` apart, from `first` on,
/// `owned` in total; the last block may be shorter. `memory_stride` is the distance in bytes between consecutive ones
/// in memory.
struct Dim {
    std::uint64_t extent = 1;
    std::uint64_t first = 0;
    std::uint64_t block = 1;
    std::uint64_t stride = 1;
    std::uint64_t owned = 1;
    std::int64_t memory_stride = 0;

    [[nodiscard]] bool one_block() const { return owned <= block; }
    [[nodiscard]] bool whole() const { return owned == extent; }

    /// The index of the owned one with this ordinal; `ordinal` may be `owned`: one past the last.
    [[nodiscard]] std::uint64_t place(std::uint64_t ordinal) const {
        return first + (one_block() ? ordinal : ordinal / block * stride + ordinal % block);
    }

    /// The number of owned indices before this one.
    [[nodiscard]] std::uint64_t owned_before(std::uint64_t place) const;
};

/// What the rank at this coordinate of `ranks` along a dimension holds: an even block, the first ranks one index more;
/// or, if `block` is not 0, blocks of this size assigned cyclically (block-cyclic).
Dim held_along(std::uint64_t extent, std::uint64_t block, std::uint64_t ranks, std::uint64_t coordinate);

/// The ranks along each dimension, as square as possible: the prime factors of `ranks`, greatest first, each go to the
/// dimension with the longest blocks. Nonzero values in `given` are kept, as in MPI_Dims_create; `given` is returned
/// unchanged if its product does not divide `ranks`.
std::vector<std::uint64_t> square_grid(std::vector<std::uint64_t> const& shape, std::uint64_t ranks,
                                       std::vector<std::uint64_t> const& given = {});

/// Equal runs of bytes at equal distances, in the file's order and in memory.
struct Rows {
    std::uint64_t position = 0;  ///< of the first run
    std::int64_t memory = 0;
    std::uint64_t length = 0;  ///< bytes of each run
    std::uint64_t rows = 1;
    std::uint64_t position_step = 0;
    std::int64_t memory_step = 0;
};

/// A regular part of an array: the product of the indices held along each dimension, in bytes. Dimensions are ordered
/// from the slowest in the file; the last one counts bytes and is contiguous in memory. Ordinals number the section's
/// bytes in file order; positions are their offsets in the plan's space.
///
/// Plain data of constant size, so that ranks can send it to each other.
struct Section {
    static constexpr std::size_t max_dims = 8;  ///< seven of the array, and the bytes of an element

    std::array<Dim, max_dims> dim{};
    std::uint64_t dims = 1;
    std::uint64_t origin = 0;  ///< position of its array's first byte
    std::int64_t memory = 0;   ///< offset of its first byte in the local array
    std::uint64_t array = 0;   ///< index in the plan's arrays

    [[nodiscard]] std::span<Dim const> all() const { return {dim.data(), dims}; }
    [[nodiscard]] std::uint64_t bytes() const;

    /// One past the last position of its array.
    [[nodiscard]] std::uint64_t array_end() const;

    /// Position of the first byte, and one past the last one; both the origin if it is empty.
    [[nodiscard]] std::uint64_t begin() const;
    [[nodiscard]] std::uint64_t end() const;

    /// The number of its bytes before a position of the plan's space.
    [[nodiscard]] std::uint64_t count_before(std::uint64_t position) const;

    /// The bytes with ordinals [from, to) in file order, in the largest possible groups of rows.
    template <class Visit>
    void each(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        while (from < to) {
            auto const rows = rows_at(from, to);
            visit(rows);
            from += rows.length * rows.rows;
        }
    }

    /// The longest row or group of rows that begins with this ordinal and ends before `to`.
    [[nodiscard]] Rows rows_at(std::uint64_t from, std::uint64_t to) const;
};

/// The same bytes in fewer dimensions: merges a dimension that is held completely, and is contiguous in memory, with
/// the next slower one.
Section coalesced(Section);

/// The same bytes in sections of at most `most_bytes` each, in file order, as far as complete indices of the last
/// dimension but one allow; `memory` of each says where it begins. The section must be contiguous in memory.
std::vector<Section> cut(Section const&, std::uint64_t most_bytes);

/// The number of its contiguous pieces in file and memory.
std::uint64_t count_runs(Section const&);

/// Do two sections of one array overlap? If so, `position` becomes the position of a common byte.
bool meet(Section const&, Section const&, std::uint64_t& position);

}  // namespace weir
