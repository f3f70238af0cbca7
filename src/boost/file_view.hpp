#pragma once

#include <mpi.h>

#include <cstdint>

#include "typemap/datatype.hpp"

namespace weir::boost {

/// What of a file a rank sees (MPI 3.1, section 13.3): data bytes, counted from 0, at offsets in the file. Local.
class FileView {
  public:
    /// All bytes, as of a file that was just opened.
    FileView() : FileView(0, 1, {TypeMap::bytes(1), 1}) {}

    /// Offsets in calls are in elementary types of `etype_bytes`; data lie as in `filetype`, one after the other from
    /// byte `displacement` of the file on.
    FileView(std::int64_t displacement, std::uint64_t etype_bytes, Datatype filetype);

    /// Offsets increase with the data bytes before this one, as those of most views do; where they do not, nothing else
    /// may be asked. Of a filetype whose extent is less than its span, as HDF5 makes for chunks, one is asked for at
    /// most, and of one without bytes, as PnetCDF makes for ranks without a part, nothing.
    [[nodiscard]] bool increases_to(std::uint64_t byte) const {
        return increases_ && (apart_ || byte <= filetype_.map.size());
    }

    [[nodiscard]] std::uint64_t etype_bytes() const { return etype_bytes_; }

    /// The offset of a data byte.
    [[nodiscard]] std::int64_t offset_of(std::uint64_t byte) const;

    /// The number of data bytes before this offset.
    [[nodiscard]] std::uint64_t bytes_before(std::int64_t offset) const;

    /// visit(offset, bytes) for each contiguous piece of the data bytes [from, to), in order.
    template <class Visit>
    void each(std::uint64_t from, std::uint64_t to, Visit visit) const {
        if (solid_) {
            visit(displacement_ + static_cast<std::int64_t>(from), to - from);
            return;
        }
        auto const size = filetype_.map.size();
        for (auto tile = from / size; from < to; ++tile) {
            auto const until = std::min((tile + 1) * size, to);
            auto const base = displacement_ + static_cast<std::int64_t>(tile) * filetype_.extent;
            filetype_.map.each(from - tile * size, until - tile * size,
                               [&](std::int64_t at, std::uint64_t bytes) { visit(base + at, bytes); });
            from = until;
        }
    }

    /// Contiguous pieces among the data bytes from there on, about.
    [[nodiscard]] std::uint64_t pieces(std::uint64_t from, std::uint64_t bytes) const;

  private:
    std::int64_t displacement_;
    std::uint64_t etype_bytes_;
    Datatype filetype_;
    bool solid_;      ///< no gaps
    bool increases_;  ///< within one filetype
    bool apart_;      ///< one filetype is behind the other
};

}  // namespace weir::boost
