// The C interface of the library for classic netCDF files.

#include <fmt/format.h>

#include <algorithm>

#include "array_formats/common/format_call.hpp"
#include "array_formats/pnetcdf/netcdf_file.hpp"
#include "weir/pnetcdf.h"

using weir::fail;
using weir::FirstFailure;
using weir::guarded;
using weir::formats::NetcdfFile;
using weir::formats::Use;
using weir::formats::Variable;

namespace {

std::vector<Variable> asked(weir_plan const* plan, char const* path, char const* const* names, nc_type const* types) {
    weir::formats::check_arguments(plan, path, names, types);
    std::vector<Variable> all;
    for (auto const& array : weir::formats::arrays_of(plan)) {
        auto const i = all.size();
        all.push_back(weir::formats::variable_from(names[i], types[i], array, i));
        if (std::ranges::count(all, all.back().name, &Variable::name) > 1) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("array {} has no variable of its own", i),
                 fmt::format("{} is an earlier array's", all.back().name), "Name one variable an array.");
        }
    }
    return all;
}

/// The part of the request on which all ranks must agree.
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

void move(weir_plan* plan, char const* path, Use use, char const* const* names, nc_type const* types,
          std::int64_t record, void* const* buffers) {
    auto const ranks = weir::formats::ranks_of(plan);
    FirstFailure failure;
    std::vector<Variable> all;
    std::vector<int> numbers;
    std::string said;
    failure.attempt([&] {
        all = asked(plan, path, names, types);
        numbers = numbers_of(all);
        said = in_words(path, all, record);
    });
    failure.agree(ranks);
    agree_on_text(ranks, said, "ranks do not ask for the same", "Pass the same file, names and types on all ranks.");
    std::uint64_t records = 0;  // known only on rank 0
    auto const offsets = failure.found_by_root<std::int64_t>(ranks, all.size(), [&] {
        NetcdfFile file(path, use);
        auto found = file.offsets(all, record);
        records = file.records_to_come();
        file.close();
        return found;
    });
    failure.agree(ranks);
    weir::formats::transfer(plan, use, path, offsets, numbers, buffers);
    if (use == Use::read) {
        return;
    }
    // Only now does the record exist for readers.
    failure.on_root(ranks, [&] {
        if (records > 0) {
            weir::formats::set_records(path, records);
            if (weir_plan_has(plan, "sync") != 0) {
                weir::formats::sync_to_device(path);
            }
        }
    });
}

}  // namespace

int weir_pnetcdf_write(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                       int64_t record, void* const buffers[], weir_error* error) {
    return guarded(error, [&] { move(plan, path, Use::write, names, types, record, buffers); });
}

int weir_pnetcdf_read(weir_plan* plan, char const* path, char const* const names[], nc_type const types[],
                      int64_t record, void* const buffers[], weir_error* error) {
    return guarded(error, [&] { move(plan, path, Use::read, names, types, record, buffers); });
}
