#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/array.h"

namespace weir::formats {

/// The arrays of a plan, from its interface. Local.
std::vector<weir_file_array> arrays_of(weir_plan const*);

using Extents = std::vector<std::uint64_t>;  ///< one value per dimension, in the file's order: the slowest first

/// Shapes and starts of an array in the file's order: a Fortran array has its dimensions reversed.
Extents shape_of(weir_file_array const&);
Extents start_of(weir_file_array const&);
Extents larger_of(weir_file_array const&);

/// "4 x 5"
std::string words(Extents const&);

/// Visits elements [first, first + count) of an array, in the file's order, as boxes: visit(start, count). There are at
/// most 2 * dims - 1 of them, each of consecutive elements.
template <class Visit>
void each_box(Extents const& shape, std::uint64_t first, std::uint64_t count, Visit visit);

/// The boxes of a range, below a dimension: `start` and `box` are filled in down to it.
template <class Visit>
void each_box_below(Extents const& shape, std::size_t dim, std::uint64_t first, std::uint64_t count, Extents& start,
                    Extents& box, Visit& visit) {
    std::uint64_t inner = 1;  // elements of one index along this dimension
    for (auto k = dim + 1; k < shape.size(); ++k) {
        inner *= shape[k];
    }
    while (count > 0) {
        auto const within = first % inner;
        bool const whole = within == 0 && count >= inner;
        auto const n = whole ? count - count % inner : std::min(count, inner - within);
        start[dim] = first / inner;
        box[dim] = whole ? n / inner : 1;
        if (whole) {
            for (auto k = dim + 1; k < shape.size(); ++k) {
                start[k] = 0;
                box[k] = shape[k];
            }
            visit(start, box);
        } else {
            each_box_below(shape, dim + 1, within, n, start, box, visit);
        }
        first += n;
        count -= n;
    }
}

template <class Visit>
void each_box(Extents const& shape, std::uint64_t first, std::uint64_t count, Visit visit) {
    Extents start(shape.size());
    Extents box(shape.size());
    each_box_below(shape, 0, first, count, start, box, visit);
}

}  // namespace weir::formats
