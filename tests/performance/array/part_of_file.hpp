#pragma once

#include <cstdint>
#include <string>

#include "array/block.hpp"

namespace weir::performance {

/// A rank's contiguous part of the file: whole pages of it, as even as they can be, in the order of the ranks.
class PartOfFile {
  public:
    explicit PartOfFile(Block const& block);

    std::uint64_t share;  ///< elements of each rank's part, but the last one's
    std::uint64_t begin;  ///< this rank's first element
    std::uint64_t count;  ///< and how many it has

    /// Moves the part by as few requests as there can be; `store` syncs. Throw Error. Local.
    void store(std::string const& path, double const* from) const;
    void load(std::string const& path, double* to) const;

  private:
    template <class Call>
    void all_bytes(Call call) const;
};

}  // namespace weir::performance
