#include "apps/flash/io/unknowns.hpp"

#include <vector>

namespace weir::flash {

/// SplitMix64: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
double random_value(std::uint64_t place) {
    auto z = (place + 1) * 0x9e37'79b9'7f4a'7c15;
    z = (z ^ (z >> 30U)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27U)) * 0x94d0'49bb'1331'11eb;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
}

/// In large pages, as strides of 192 bytes pass through many small ones.
Unknowns::Unknowns(std::size_t blocks, std::size_t side, MemoryOrder order, UnknownValues values, std::uint64_t before)
    : blocks_(blocks),
      side_(side),
      width_(side + 2 * guards),
      step_(order == MemoryOrder::interleaved ? unknown_names.size() : 1),
      order_(order),
      memory_(bytes(blocks, side), Pages::large),
      values_(reinterpret_cast<double*>(memory_.bytes().data())) {
    auto const cells = width_ * width_ * width_;
    auto const set = [&](std::size_t unknown, std::size_t block, std::size_t cell) {
        start_of(unknown, block)[cell * step_] = values == UnknownValues::number
                                                     ? static_cast<double>(unknown + 1)
                                                     : random_value(place_of(unknown, before + block, cell));
    };
    auto const inner = order == MemoryOrder::interleaved ? unknown_names.size() : 1;  // as memory runs
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t first = 0; first < unknown_names.size(); first += inner) {
            for (std::size_t cell = 0; cell < cells; ++cell) {
                for (std::size_t unknown = first; unknown < first + inner; ++unknown) {
                    set(unknown, block, cell);
                }
            }
        }
    }
}

double* Unknowns::start_of(std::size_t unknown, std::size_t block) const {
    auto const cells = width_ * width_ * width_;
    return order_ == MemoryOrder::interleaved ? values_ + block * cells * step_ + unknown
                                              : values_ + (unknown * blocks_ + block) * cells;
}

template <class Stored>
void Unknowns::copy(std::size_t unknown, BlockRange range, std::span<Stored> stored) const {
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

template void Unknowns::copy(std::size_t, BlockRange, std::span<double>) const;
template void Unknowns::copy(std::size_t, BlockRange, std::span<float>) const;

StridedMemory Unknowns::in_memory(std::size_t unknown) const {
    Element const number{Element::Kind::real, sizeof(double)};
    auto const* const from =
        reinterpret_cast<std::byte const*>(order_ == MemoryOrder::interleaved ? values_ : start_of(unknown, 0));
    StridedMemory memory{
        from, number, {blocks_, width_, width_, width_}, {0, guards, guards, guards}, {blocks_, side_, side_, side_}};
    if (order_ == MemoryOrder::interleaved) {
        memory.shape.push_back(unknown_names.size());
        memory.start.push_back(unknown);
        memory.count.push_back(1);
    }
    return memory;
}

void Unknowns::copy_corners(std::size_t unknown, BlockRange range, std::span<float> stored) const {
    auto const row = side_ + 2;
    auto const plane = row * row;
    std::vector<double> cells(row * plane);  // with one layer of guard cells, contiguous
    auto* to = stored.data();
    for (auto block = range.first; block < range.end; ++block) {
        auto const* const from = start_of(unknown, block);
        auto* cell = cells.data();
        for (std::size_t k = guards - 1; k <= guards + side_; ++k) {
            for (std::size_t j = guards - 1; j <= guards + side_; ++j) {
                auto const* const at = from + ((k * width_ + j) * width_ + guards - 1) * step_;
                for (std::size_t i = 0; i < row; ++i) {
                    cell[i] = at[i * step_];
                }
                cell += row;
            }
        }
        for (std::size_t k = 0; k <= side_; ++k) {
            for (std::size_t j = 0; j <= side_; ++j) {
                auto const* const low = cells.data() + k * plane + j * row;
                for (std::size_t i = 0; i <= side_; ++i) {
                    auto const four = [&](double const* at) { return (at[0] + at[1]) + (at[row] + at[row + 1]); };
                    to[i] = static_cast<float>(0.125 * (four(low + i) + four(low + i + plane)));
                }
                to += side_ + 1;
            }
        }
    }
}

}  // namespace weir::flash
