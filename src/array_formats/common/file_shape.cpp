#include "array_formats/common/file_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/join.hpp"

namespace weir::formats {
namespace {

Extents in_file_order(weir_file_array const& array, std::int64_t const* values) {
    Extents extents(values, values + array.dims);
    if (array.order == WEIR_FORTRAN_ORDER) {
        std::ranges::reverse(extents);
    }
    return extents;
}

}  // namespace

std::vector<weir_file_array> arrays_of(weir_plan const* plan) {
    std::vector<weir_file_array> arrays(static_cast<std::size_t>(weir_plan_arrays(plan)));
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        weir_plan_array(plan, static_cast<int>(i), &arrays[i]);
    }
    return arrays;
}

Extents shape_of(weir_file_array const& array) { return in_file_order(array, array.shape); }
Extents start_of(weir_file_array const& array) { return in_file_order(array, array.start); }
Extents larger_of(weir_file_array const& array) { return in_file_order(array, array.larger); }

std::string words(Extents const& extents) { return extents.empty() ? "a single value" : join(extents, " x "); }

}  // namespace weir::formats
