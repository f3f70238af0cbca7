// The C interface of the library for classic netCDF files.

#include "weir/pnetcdf.h"

#include <fmt/format.h>

#include <algorithm>

#include "array_formats/common/together.hpp"
#include "array_formats/pnetcdf/netcdf_file.hpp"

using weir::formats::Access;
using weir::formats::NetcdfFile;
using weir::formats::Together;
using weir::formats::Variable;

namespace {

std::vector<Variable> asked(weir_plan const* plan, char const* path, char const* const* names, nc_type const* types) {
    weir::formats::check_asked(plan, path, names, types);
    std::vector<Variable> all;
    for (auto const& array : weir::formats::arrays_of(plan)) {
        auto const i = all.size();
        all.push_back(weir::formats::variable_from(names[i], types[i], array, i));
        if (std::ranges::count(all, all.back().name, &Variable::name) > 1) {
            weir::formats::fail(WEIR_BAD_ARGUMENT, fmt::format("array {} has no variable of its own", i),
                                fmt::format("{} is an earlier array's", all.back().name),
                                "Name one variable an array.");
        }
    }
    return all;
}

/// What all ranks must ask for alike.
std::string in_words(char const* path, std::vector<Variable> const& all, std::int64_t record) {
    std::string text = path == nullptr ? "" : path;
    for (auto const& variable : all) {
        text += fmt::format(", {} of {}", variable.name, weir::formats::name_of(variable.type));
    }
    return text + fmt::format(", record {}", record);
}

/// Numbers in classic files are big-endian.
std::vector<int> numbers_of(std::vector<Variable> const& all) {
    std::vector<int> numbers;
    for (auto const& variable : all) {
        auto const bytes = static_cast<int>(weir::formats::bytes_of(variable.type));
        numbers.push_back(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes : 1);
    }
    return numbers;
}

void move(weir_plan* plan, char const* path, Access access, char const* const* names, nc_type const* types,
          std::int64_t record, void* const* buffers) {
    weir::formats::check_plan(plan);
    Together together(weir_plan_comm(plan));
    std::vector<Variable> all;
    std::vector<int> numbers;
    std::string said;
    together.attempt([&] {
        all = asked(plan, path, names, types);
        numbers = numbers_of(all);
        said = in_words(path, all, record);
    });
    together.agree_on(said);
    std::uint64_t records = 0;  // rank 0 alone knows
    auto const offsets = together.found_by_root<std::int64_t>(all.size(), [&] {
        NetcdfFile file(path, access);
        auto found = file.offsets(all, record);
        records = file.records_to_come();
        file.close();
        return found;
    });
    together.agree();
    weir_error error;
    if (access == Access::read) {
        weir_read_swapped(plan, path, offsets.data(), numbers.data(), buffers, &error);
        weir::formats::check(error);
        return;
    }
    weir_write_swapped(plan, path, offsets.data(), numbers.data(), buffers, &error);
    weir::formats::check(error);
    // Only now is the record there for those who read.
    together.done_by_root([&] {
        if (records > 0) {
            weir::formats::set_records(path, records);
            if (weir_plan_has(plan, "sync") != 0) {
                weir::formats::bring_to_device(path);
            }
        }
    });
}

}  // namespace

int weir_pnetcdf_write(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                       int64_t record, void* const buffers[], weir_error* error) {
    return weir::formats::guarded(error, [&] { move(plan, path, Access::write, names, types, record, buffers); });
}

int weir_pnetcdf_read(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                      int64_t record, void* const buffers[], weir_error* error) {
    return weir::formats::guarded(error, [&] { move(plan, path, Access::read, names, types, record, buffers); });
}
