#include "apps/cmb/model/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"

namespace weir::cmb {
namespace {

std::uint64_t root_of(std::uint64_t square) {
    return static_cast<std::uint64_t>(std::lround(std::sqrt(static_cast<double>(square))));
}

bool is_square(std::uint64_t number) { return root_of(number) * root_of(number) == number; }

std::uint64_t rounded_up(std::uint64_t number, std::uint64_t unit) { return (number + unit - 1) / unit * unit; }

/// The last block may be shorter than the others.
std::string what_gives_each_row_a_block(std::uint64_t pixels, std::uint64_t side) {
    return pixels < side ? fmt::format("Choose {} pixels at least, or fewer ranks.", side)
                         : fmt::format("Choose block = {} at most, more pixels, or fewer ranks.",
                                       (pixels - 1) / std::max<std::uint64_t>(1, side - 1));
}

std::vector<std::uint64_t> places_of(BlockCyclic const& along, std::uint64_t process) {
    std::vector<std::uint64_t> places(along.count(process));
    for (std::uint64_t i = 0; i < places.size(); ++i) {
        places[i] = along.global(i, process);
    }
    return places;
}

}  // namespace

std::uint64_t Shape::side(Among among) const { return root_of(ranks_of(among)); }

std::uint64_t Shape::row_of(Among among, Rank rank) const { return rank.value % ranks_of(among) / side(among); }

std::uint64_t Shape::column_of(Among among, Rank rank) const { return rank.value % side(among); }

std::uint64_t Shape::elements(Among among, Rank rank) const {
    return along(among).count(row_of(among, rank)) * along(among).count(column_of(among, rank));
}

std::uint64_t Shape::place_bytes() const {
    auto const first = Rank{0};  // no rank has more
    auto const most = std::max(gangs * elements(Among::all, first), elements(Among::gang, first));
    return rounded_up(most * sizeof(double), gangs * alignment) / gangs;
}

void validate_shape(Shape const& s) {
    validate(is_square(s.ranks), fmt::format("{} ranks are not the square of a number", s.ranks),
             "each matrix is divided on a square grid of all ranks", "Start 1, 4, 9, 16, ... ranks.");
    validate(is_square(s.gangs), fmt::format("gangs = {} is not the square of a number", s.gangs),
             "the ranks of a gang are a square grid, as all ranks are", "Choose 1, 4, 9, 16, ... gangs.");
    validate(s.ranks % s.gangs == 0, fmt::format("gangs = {} does not divide the {} ranks", s.gangs, s.ranks),
             "each gang has as many ranks", "Choose a divisor, or start more ranks.");
    validate(s.bins % s.gangs == 0, fmt::format("gangs = {} does not divide bins = {}", s.gangs, s.bins),
             "each gang has as many matrices", "Choose another number of bins, or of gangs.");
    auto const side = s.side(Among::all);
    auto const blocks = s.along(Among::all).blocks();
    validate(blocks >= side, fmt::format("{} pixels in blocks of {} are too few", s.pixels, s.block),
             fmt::format("each of the {} rows of the grid of ranks needs a block", side),
             what_gives_each_row_a_block(s.pixels, side));
}

std::uint64_t usual_block(std::uint64_t pixels, std::uint64_t ranks) {
    constexpr std::uint64_t most = 64;
    constexpr std::uint64_t least = 8;
    auto const side = root_of(ranks);
    auto const share = std::max<std::uint64_t>(1, pixels / std::max<std::uint64_t>(1, side));
    if (side * share == pixels) {
        for (auto block = std::min(most, share); block >= std::min(least, share); --block) {
            if (share % block == 0) {
                return block;
            }
        }
    }
    return std::min(most, share);
}

MatrixPart::MatrixPart(Shape const& shape, Among among, Rank rank)
    : rows(places_of(shape.along(among), shape.row_of(among, rank))),
      columns(places_of(shape.along(among), shape.column_of(among, rank))) {}

}  // namespace weir::cmb
