#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "array/layout/arrays.hpp"
#include "array/sinks/part_file.hpp"

namespace weir::array {

/// Where a plan's arrays lie in a file, one value an array.
struct FileLayout {
    std::vector<std::int64_t> offsets;    ///< where each begins, in bytes
    std::vector<std::int64_t> numbers{};  ///< bytes of its numbers, which have the other byte order; empty: none has
};

/// Where the plan's space lies in a file: each array at a place of its own, whole or as a part of a larger one.
class FileMap {
  public:
    /// `offsets` in the file, one an array.
    FileMap(Arrays const&, std::vector<std::int64_t> const& offsets);

    /// Arrays one after the other, from a byte of the file on.
    static std::vector<std::int64_t> packed_offsets(Arrays const&, std::int64_t offset);

    /// Contiguous pieces of the file for positions [from, from + length): visit(offset in the file, bytes, bytes
    /// before).
    template <class Visit>
    void each(std::uint64_t from, std::uint64_t length, Visit&& visit) const {
        auto const to = from + length;
        for (auto const& entry : entries_) {
            auto const first = std::max(from, entry.begin);
            auto const last = std::min(to, entry.end);
            if (first >= last) {
                continue;
            }
            if (!entry.in_larger) {
                visit(entry.offset + (first - entry.begin), last - first, first - from);
                continue;
            }
            auto before = first - from;
            entry.section.each(first - entry.begin, last - entry.begin, [&](Rows const& rows) {
                for (std::uint64_t i = 0; i < rows.rows; ++i, before += rows.length) {
                    visit(entry.offset + rows.position + i * rows.position_step, rows.length, before);
                }
            });
        }
    }

    /// The first byte of the file that is touched, and one past the last.
    [[nodiscard]] std::uint64_t begin() const;
    [[nodiscard]] std::uint64_t end() const;

    /// Where the file must reach at least because of the larger arrays that arrays are parts of; 0: there are none.
    [[nodiscard]] std::uint64_t end_of_larger() const { return end_of_larger_; }

    /// What a file of so many bytes holds outside the arrays, in order: also the larger arrays that arrays are parts
    /// of.
    [[nodiscard]] std::vector<FileRange> outside_arrays(std::uint64_t file_bytes) const;

  private:
    struct Entry {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint64_t offset = 0;
        bool in_larger = false;
        Section section{};
    };
    std::vector<Entry> entries_;
    std::uint64_t end_of_larger_ = 0;
};

}  // namespace weir::array
