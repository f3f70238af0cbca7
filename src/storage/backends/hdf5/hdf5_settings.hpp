#pragma once

#include <cstdint>
#include <string>

#include "core/hdf5_handle.hpp"
#include "core/option.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// A file's layout and metadata settings.
struct Hdf5Settings {
    Bytes chunk{0};  ///< datasets of bytes in chunks of this size; 0: contiguous
    Bytes alignment{0};
    Bytes alignment_threshold{0};  ///< 0: the alignment
    Bytes metadata_block{0};       ///< 0: the library's default
    bool collective_metadata = false;
    std::uint64_t chunk_rows = 0;  ///< arrays in chunks of so many places along the slowest dimension; 0: contiguous
    std::uint64_t deflate = 0;     ///< level of compression of these chunks; 0: none
    Bytes page_buffer{0};          ///< no library has one for parallel files: refused, as the next
    bool subfiling = false;

    void declare(OptionSet&);

    /// Throws Error (usage) where they contradict each other, a pattern's files, or the library. Local.
    void check(Pattern const& files) const;

    /// Is the array stored in chunks? Texts, records and arrays of no more places than a chunk are not.
    [[nodiscard]] bool chunks(Array const&) const;

    /// Is it compressed? The library writes it only in collective calls.
    [[nodiscard]] bool compresses(Array const& array) const { return deflate > 0 && chunks(array); }
};

/// "HDF5 1.10.8".
std::string hdf5_version();

/// Throws Error (usage): an access to a compressed array that is not collective.
[[noreturn]] void refuse_independent_compression(std::string const& array);

/// A dataset's layout: space allocated at creation, without fill values, so that only the requested I/O is timed.
Hdf5Handle whole_layout();

/// Creates the groups of a link's name that do not exist.
Hdf5Handle makes_groups();

/// The same for an array that is in chunks (Hdf5Settings::chunks).
Hdf5Handle chunked_layout(Array const&, Hdf5Settings const&);

}  // namespace weir
