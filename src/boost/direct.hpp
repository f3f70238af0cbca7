#pragma once

#include "boost/growing_buffer.hpp"
#include "boost/one_shot.hpp"

namespace weir::boost {

/// Moves a rank's bytes by itself, each contiguous piece of the file by requests of its own. Local.
class Direct {
  public:
    /// 0, or why not all bytes were moved: an errno, or OneShot::end_of_file.
    int write(Request const&, int descriptor);
    int read(Request const&, int descriptor);

    [[nodiscard]] std::uint64_t requests() const { return requests_; }  ///< so far

  private:
    /// move(offset, data bytes [from, to) of the memory) for parts that are not too long to be packed; until one fails.
    template <class Move>
    int each(Request const&, Move move);

    GrowingBuffer packed_;
    std::uint64_t requests_ = 0;
};

}  // namespace weir::boost
