#include "array_formats/pnetcdf/variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "comm/collective_error_c.hpp"

namespace weir::formats {
namespace {

struct NetcdfType {
    nc_type type;
    std::size_t bytes;
    char const* name;
};
constexpr std::array types{
    NetcdfType{NC_BYTE, 1, "NC_BYTE"},   NetcdfType{NC_CHAR, 1, "NC_CHAR"},     NetcdfType{NC_SHORT, 2, "NC_SHORT"},
    NetcdfType{NC_INT, 4, "NC_INT"},     NetcdfType{NC_FLOAT, 4, "NC_FLOAT"},   NetcdfType{NC_DOUBLE, 8, "NC_DOUBLE"},
    NetcdfType{NC_UBYTE, 1, "NC_UBYTE"}, NetcdfType{NC_USHORT, 2, "NC_USHORT"}, NetcdfType{NC_UINT, 4, "NC_UINT"},
    NetcdfType{NC_INT64, 8, "NC_INT64"}, NetcdfType{NC_UINT64, 8, "NC_UINT64"},
};

NetcdfType const* find(nc_type type) {
    auto const* const found = std::ranges::find(types, type, &NetcdfType::type);
    return found == types.end() ? nullptr : found;
}

std::string trimmed(std::string const& text) {
    auto const first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// The dimensions between the parentheses of "density(z, y, x)".
std::vector<std::string> dimensions_in(std::string const& text) {
    std::vector<std::string> all;
    auto const open = text.find('(');
    if (open == std::string::npos) {
        return all;
    }
    auto const close = text.find(')', open);
    bool good = close != std::string::npos && close + 1 == text.size();
    for (auto from = open + 1; good && from <= close;) {
        auto const to = std::min(text.find(',', from), close);
        all.push_back(trimmed(text.substr(from, to - from)));
        good = !all.back().empty();
        from = to + 1;
    }
    if (!good) {
        fail(WEIR_BAD_ARGUMENT, fmt::format("'{}' names no variable", text), "its dimensions cannot be read",
             "Write it as in \"density(z, y, x)\".");
    }
    return all;
}

}  // namespace

std::size_t bytes_of(nc_type type) { return find(type) == nullptr ? 0 : find(type)->bytes; }

char const* name_of(nc_type type) { return find(type) == nullptr ? "no type of classic netCDF" : find(type)->name; }

Variable variable_from(char const* text, nc_type type, weir_file_array const& array, std::size_t index) {
    std::string const said = trimmed(text == nullptr ? "" : text);
    Variable variable{trimmed(said.substr(0, said.find('('))), dimensions_in(said), type, array, index};
    if (variable.name.empty()) {
        fail(WEIR_BAD_ARGUMENT, fmt::format("array {} has no variable", index), "its name is null or empty",
             "Name one variable an array.");
    }
    if (bytes_of(type) != array.element_bytes) {
        fail(WEIR_BAD_ARGUMENT, fmt::format("the type of array {} does not fit it", index),
             fmt::format("it is {} of {} bytes, and the elements have {}", name_of(type), bytes_of(type),
                         array.element_bytes),
             "Pass a type such as NC_DOUBLE.");
    }
    auto const extra = variable.dimensions.size() - static_cast<std::size_t>(array.dims);
    if (!variable.dimensions.empty() && extra > 1) {
        fail(WEIR_BAD_ARGUMENT, fmt::format("'{}' does not fit array {}", said, index),
             fmt::format("it has {} dimensions, and the array {}", variable.dimensions.size(), array.dims),
             "Name the array's dimensions, and an unlimited one before them if there is one.");
    }
    auto const shape = larger_of(array);
    auto const allowed = variable.grows() ? 0 : 1;
    if (std::ranges::count(shape.begin() + allowed, shape.end(), 0U) > 0) {
        fail(
            WEIR_BAD_ARGUMENT, fmt::format("array {} cannot be a variable", index),
            fmt::format("it is {}, and classic netCDF has only one dimension of length 0, an unlimited one, which is a "
                        "variable's slowest",
                        words(shape)),
            "Leave it out, or write it to HDF5.");
    }
    return variable;
}

}  // namespace weir::formats
