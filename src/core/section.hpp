#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir {

/// Which places along one dimension a rank holds: blocks of `block` places, `stride` apart, from `first` on, `owned`
/// places in all; the last block may be shorter. `memory_stride` is the way in bytes from one of them to the next.
struct Dim {
    std::uint64_t extent = 1;
    std::uint64_t first = 0;
    std::uint64_t block = 1;
    std::uint64_t stride = 1;
    std::uint64_t owned = 1;
    std::int64_t memory_stride = 0;

    [[nodiscard]] bool one_block() const { return owned <= block; }
    [[nodiscard]] bool whole() const { return owned == extent; }

    /// The place of the owned one with this ordinal; `ordinal` may be `owned`: one past the last.
    [[nodiscard]] std::uint64_t place(std::uint64_t ordinal) const {
        return first + (one_block() ? ordinal : ordinal / block * stride + ordinal % block);
    }

    /// How many owned places lie before this one.
    [[nodiscard]] std::uint64_t owned_before(std::uint64_t place) const;
};

/// What the rank at this coordinate of `ranks` along a dimension holds: an even block, the first ranks one place more,
/// or, where `block` is not 0, blocks of so many places in turn (block-cyclic).
Dim held_along(std::uint64_t extent, std::uint64_t block, std::uint64_t ranks, std::uint64_t coordinate);

/// The ranks along each dimension, as square as it can be: the prime factors of `ranks`, greatest first, each go to the
/// dimension whose blocks are the longest. What is not 0 in `given` stays, as of MPI_Dims_create; that is returned as
/// it is where its ranks do not divide `ranks`.
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

/// A regular part of an array: the product of what is held along each dimension, in bytes. The slowest dimension in the
/// file stands first; the last one counts bytes and is contiguous in memory. Bytes are numbered in the file's order by
/// ordinals, and lie at positions.
///
/// It is plain data, so that ranks can send it to each other, and its size does not depend on what it describes.
struct Section {
    static constexpr std::size_t max_dims = 8;  ///< seven of the array, and the bytes of an element

    std::array<Dim, max_dims> dim{};
    std::uint64_t dims = 1;
    std::uint64_t origin = 0;  ///< position of its array's first byte
    std::int64_t memory = 0;   ///< of its first byte, in the local array
    std::uint64_t array = 0;   ///< which one of the plan's arrays

    [[nodiscard]] std::span<Dim const> all() const { return {dim.data(), dims}; }
    [[nodiscard]] std::uint64_t bytes() const;

    /// One past the last position of its array.
    [[nodiscard]] std::uint64_t array_end() const;

    /// Of the first byte, and one past the last one; both the origin where it is empty.
    [[nodiscard]] std::uint64_t begin() const;
    [[nodiscard]] std::uint64_t end() const;

    /// How many of its bytes lie before a position of the plan's space.
    [[nodiscard]] std::uint64_t count_before(std::uint64_t position) const;

    /// The bytes with ordinals [from, to) in the file's order, as rows that are as many at once as can be told.
    template <class Visit>
    void each(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        while (from < to) {
            auto const rows = rows_at(from, to);
            visit(rows);
            from += rows.length * rows.rows;
        }
    }

    /// The longest row or rows that begin with this ordinal and end before `to`.
    [[nodiscard]] Rows rows_at(std::uint64_t from, std::uint64_t to) const;
};

/// The same bytes in fewer dimensions: one that is held whole, and follows without a gap in memory, is made one with
/// the next slower one.
Section coalesced(Section);

/// The same bytes in sections of no more than so many each, in the file's order, as far as whole indices of its last
/// dimension but one allow; of each, `memory` says where it begins. Of one whose memory is without gaps.
std::vector<Section> cut(Section const&, std::uint64_t most_bytes);

/// How many contiguous pieces of the file and of memory it has.
std::uint64_t count_runs(Section const&);

/// Do two sections of one array have a byte in common? If so, its position is put into `position`.
bool meet(Section const&, Section const&, std::uint64_t& position);

}  // namespace weir
