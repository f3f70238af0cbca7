#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace weir::array {

/// One bit for each of some units: which of them are held. Quicker than sorting the pieces that hold them.
class Marks {
  public:
    explicit Marks(std::uint64_t units) : words_((units + bits - 1) / bits) {}

    void clear() { std::ranges::fill(words_, 0); }

    /// Marks units; false if one of them was marked.
    bool mark(std::uint64_t first, std::uint64_t count) {
        std::uint64_t before = 0;
        while (count > 0) {
            auto const bit = first % bits;
            auto const here = std::min(count, bits - bit);
            auto const mask = ~std::uint64_t{0} >> (bits - here) << bit;
            before |= words_[first / bits] & mask;
            words_[first / bits] |= mask;
            first += here;
            count -= here;
        }
        return before == 0;
    }

    /// visit(first, count) for each run of marked units among [from, to).
    template <class Visit>
    void each_run(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        while (from < to) {
            auto const first = next(from, to, true);
            auto const end = next(first, to, false);
            if (first < end) {
                visit(first, end - first);
            }
            from = end;
        }
    }

  private:
    static constexpr std::uint64_t bits = 64;

    /// The first unit from `from` on that is marked, or is not; `to` if there is none before it.
    [[nodiscard]] std::uint64_t next(std::uint64_t from, std::uint64_t to, bool marked) const {
        while (from < to) {
            auto const word = (marked ? words_[from / bits] : ~words_[from / bits]) >> from % bits;
            if (word != 0) {
                return std::min(to, from + static_cast<std::uint64_t>(std::countr_zero(word)));
            }
            from += bits - from % bits;
        }
        return to;
    }

    std::vector<std::uint64_t> words_;
};

}  // namespace weir::array
