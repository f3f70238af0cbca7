#include "boost/coverage.hpp"

#include <algorithm>

namespace weir::boost {
namespace {

constexpr std::uint64_t bits = 64;
constexpr auto all_ones = ~std::uint64_t{0};

}  // namespace

void Coverage::clear(std::uint64_t bytes) {
    bytes_ = bytes;
    words_.assign((bytes + bits - 1) / bits, 0);
}

void Coverage::mark(std::uint64_t from, std::uint64_t bytes) {
    if (bytes == 0) {
        return;
    }
    auto const last = from + bytes - 1;
    auto const head = all_ones << (from % bits);
    auto const tail = all_ones >> (bits - 1 - last % bits);
    auto const begin = from / bits;
    auto const end = last / bits;
    if (begin == end) {
        words_[begin] |= head & tail;
        return;
    }
    words_[begin] |= head;
    std::fill(words_.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
              words_.begin() + static_cast<std::ptrdiff_t>(end), all_ones);
    words_[end] |= tail;
}

std::uint64_t Coverage::next(std::uint64_t from, bool filled) const {
    for (auto i = from / bits; i < words_.size(); ++i) {
        auto word = filled ? words_[i] : ~words_[i];
        if (i == from / bits) {
            word &= all_ones << (from % bits);
        }
        if (word != 0) {
            return std::min(bytes_, i * bits + static_cast<std::uint64_t>(std::countr_zero(word)));
        }
    }
    return bytes_;
}

}  // namespace weir::boost
