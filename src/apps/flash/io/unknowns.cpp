#include "apps/flash/io/unknowns.hpp"

namespace weir::flash {

/// SplitMix64: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
double random_value(std::uint64_t place) {
    auto z = (place + 1) * 0x9e37'79b9'7f4a'7c15;
    z = (z ^ (z >> 30U)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27U)) * 0x94d0'49bb'1331'11eb;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
}

Unknowns::Unknowns(std::size_t blocks, std::size_t side, MemoryOrder order, Values values, std::uint64_t before)
    : blocks_(blocks),
      side_(side),
      width_(side + 2 * guards),
      step_(order == MemoryOrder::interleaved ? unknown_names.size() : 1),
      order_(order),
      values_(std::make_unique_for_overwrite<double[]>(bytes(blocks, side) / sizeof(double))) {
    auto const cells = width_ * width_ * width_;
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t unknown = 0; unknown < unknown_names.size(); ++unknown) {
            auto* const start = start_of(unknown, block);
            for (std::size_t cell = 0; cell < cells; ++cell) {
                start[cell * step_] = values == Values::number ? static_cast<double>(unknown + 1)
                                                               : random_value(place_of(unknown, before + block, cell));
            }
        }
    }
}

double* Unknowns::start_of(std::size_t unknown, std::size_t block) const {
    auto const cells = width_ * width_ * width_;
    return order_ == MemoryOrder::interleaved ? values_.get() + block * cells * step_ + unknown
                                              : values_.get() + (unknown * blocks_ + block) * cells;
}

template <class Stored>
void Unknowns::copy(std::size_t unknown, Range range, std::span<Stored> stored) const {
    auto* to = stored.data();
    for (auto block = range.first; block < range.end; ++block) {
        auto const* const from = start_of(unknown, block);
        for (std::size_t k = guards; k < guards + side_; ++k) {
            for (std::size_t j = guards; j < guards + side_; ++j) {
                auto const* const row = from + ((k * width_ + j) * width_ + guards) * step_;
                for (std::size_t i = 0; i < side_; ++i) {
                    to[i] = static_cast<Stored>(row[i * step_]);
                }
                to += side_;
            }
        }
    }
}

template void Unknowns::copy(std::size_t, Range, std::span<double>) const;
template void Unknowns::copy(std::size_t, Range, std::span<float>) const;

void Unknowns::copy_corners(std::size_t unknown, Range range, std::span<float> stored) const {
    auto const row = width_ * step_;
    auto const plane = width_ * row;
    auto* to = stored.data();
    for (auto block = range.first; block < range.end; ++block) {
        auto const* const from = start_of(unknown, block);
        for (std::size_t k = guards; k <= guards + side_; ++k) {
            for (std::size_t j = guards; j <= guards + side_; ++j) {
                auto const* upper = from + k * plane + j * row + guards * step_;
                for (std::size_t i = 0; i <= side_; ++i, upper += step_) {
                    auto const pair = [&](double const* at) { return at[0] + *(at - step_); };
                    auto const four = [&](double const* at) { return pair(at) + pair(at - row); };
                    *to++ = static_cast<float>(0.125 * (four(upper) + four(upper - plane)));
                }
            }
        }
    }
}

}  // namespace weir::flash
