#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "array/layout/arrays.hpp"
#include "array/sinks/part_file.hpp"

namespace weir::array {

/// The place of a plan's arrays in a file, one value per array.
struct FileLayout {
    std::vector<std::int64_t> offsets;    ///< first byte of each array
    std::vector<std::int64_t> numbers{};  ///< bytes of each number in the other byte order; empty: native order
};

/// Maps the plan's space to a file: each array at its own offset, complete or as part of a larger one.
class FileMap {
  public:
    /// `offsets` in the file, one an array.
    FileMap(Arrays const&, std::vector<std::int64_t> const& offsets);

    /// Offsets of arrays stored consecutively from this byte of the file.
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

    /// The first byte of the file that is touched, and one past the last; both 0 if no array has elements.
    [[nodiscard]] std::uint64_t begin() const;
    [[nodiscard]] std::uint64_t end() const;

    /// The file's minimum length because of the larger arrays that arrays are part of; 0: there are none.
    [[nodiscard]] std::uint64_t end_of_larger() const { return end_of_larger_; }

    /// The ranges of a file of this length outside the arrays, in order; includes the rest of the larger arrays that
    /// arrays are part of.
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
