#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::boost {

/// Which bytes of a window have been filled, a bit each.
class Coverage {
  public:
    /// None of `bytes`.
    void clear(std::uint64_t bytes);

    void mark(std::uint64_t from, std::uint64_t bytes);

    /// visit(from, bytes) for each contiguous piece that is filled, in order.
    template <class Visit>
    void each_filled(Visit visit) const {
        for (auto at = next(0, true); at < bytes_;) {
            auto const end = next(at, false);
            visit(at, end - at);
            at = next(end, true);
        }
    }

  private:
    /// The first byte from here on that is (or is not) filled; the number of bytes if there is none.
    [[nodiscard]] std::uint64_t next(std::uint64_t from, bool filled) const;

    std::vector<std::uint64_t> words_;
    std::uint64_t bytes_ = 0;
};

}  // namespace weir::boost
