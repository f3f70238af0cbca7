#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "storage/backend.hpp"

namespace weir {

/// A file as a sequence of datasets, for formats that have them: one for all, or segments as datasets, as in Shan and
/// Shalf 2007, section 4. All have the same size except the last, which may be shorter. Sizes and offsets are in bytes.
class Datasets {
  public:
    explicit Datasets(OpenRequest const& request)
        : file_bytes_(request.file_bytes), each_(request.dataset_bytes > 0 ? request.dataset_bytes : 1) {}

    [[nodiscard]] std::uint64_t count() const { return file_bytes_ / each_ + (file_bytes_ % each_ == 0 ? 0 : 1); }

    /// The size of one of them.
    [[nodiscard]] std::uint64_t bytes_of(std::uint64_t dataset) const;

    /// The largest size of any of them.
    [[nodiscard]] std::uint64_t largest() const { return count() == 0 ? 0 : bytes_of(0); }

    /// Which dataset holds the byte at this offset of the file, and where in it that byte is.
    [[nodiscard]] std::uint64_t holding(std::uint64_t offset) const { return offset / each_; }
    [[nodiscard]] std::uint64_t within(std::uint64_t offset) const { return offset % each_; }

    /// Splits a piece of the file by dataset: `part(offset, length)`, with offsets of the file.
    template <class Part>
    void each_part(Piece piece, Part part) const {
        while (piece.length > 0) {
            auto const here = std::min(piece.length, each_ - within(piece.offset));
            part(piece.offset, here);
            piece.offset += here;
            piece.length -= here;
        }
    }

    /// Refuses an access if a request of this rank would cross two datasets, unless it is one of many pieces (Error,
    /// usage). Local.
    void refuse_crossing(Access const&, Rank acting) const;

    /// Calls `visit` for one dataset after the other, all ranks in step. Stops on all ranks after the same one, if a
    /// rank returns false or the time limit is over; returns the number visited. Collective.
    std::uint64_t go_through(Communicator const&, OutOfTime const&,
                             std::function<bool(std::uint64_t dataset)> const& visit) const;

    /// Refuses to continue if not all were reached within the time limit (Error, cannot run; or interrupted).
    void refuse_late(std::uint64_t reached) const;

    /// A name for users who look into the file: "data", or "segment-000000" if there are several.
    [[nodiscard]] std::string name_of(std::uint64_t dataset) const;

  private:
    std::uint64_t file_bytes_;
    std::uint64_t each_;
};

}  // namespace weir
