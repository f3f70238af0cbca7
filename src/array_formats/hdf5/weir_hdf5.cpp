// The C interface of the library for HDF5.

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "array_formats/common/format_call.hpp"
#include "array_formats/hdf5/through_hdf5.hpp"
#include "weir/hdf5.h"

using weir::fail;
using weir::FirstFailure;
using weir::guarded;
using weir::formats::DatasetPlace;
using weir::formats::DatasetRequest;
using weir::formats::Hdf5File;
using weir::formats::Quiet;
using weir::formats::Use;

namespace {

/// The caller's request. Throws Failure if it is invalid.
std::vector<DatasetRequest> asked(weir_plan const* plan, char const* path, char const* const* names,
                                  hid_t const* types) {
    weir::formats::check_arguments(plan, path, names, types);
    std::vector<DatasetRequest> all;
    for (auto const& array : weir::formats::arrays_of(plan)) {
        auto const i = all.size();
        bool const named = names[i] != nullptr && *names[i] != 0;
        auto const name = named ? std::string(names[i]) : std::string();
        bool const again = std::ranges::any_of(all, [&](DatasetRequest const& other) { return other.name == name; });
        if (!named || again) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("array {} has no dataset of its own", i),
                 named ? fmt::format("{} is an earlier array's", name) : "its name is null or empty",
                 "Name one dataset an array.");
        }
        bool const is_type = H5Iget_type(types[i]) == H5I_DATATYPE;
        auto const bytes = is_type ? H5Tget_size(types[i]) : 0;
        if (bytes != array.element_bytes) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("the type of array {} does not fit it", i),
                 is_type ? fmt::format("it has {} bytes, and the elements have {}", bytes, array.element_bytes)
                         : "it is no HDF5 type",
                 "Pass a type such as H5T_NATIVE_DOUBLE.");
        }
        if (H5Tis_variable_str(types[i]) > 0 || H5Tdetect_class(types[i], H5T_VLEN) > 0) {
            fail(WEIR_BAD_ARGUMENT, fmt::format("the type of array {} does not fit it", i),
                 "its values are of variable length", "Write these with HDF5 itself.");
        }
        all.push_back({name, types[i], array, i});
    }
    return all;
}

/// The part of the request on which all ranks must agree.
std::string in_words(char const* path, std::vector<DatasetRequest> const& all) {
    std::string text = path == nullptr ? "" : path;
    for (auto const& request : all) {
        std::size_t length = 0;
        H5Tencode(request.type, nullptr, &length);
        std::string code(length, 0);
        H5Tencode(request.type, code.data(), &length);
        text += fmt::format(", {} of type {:x}", request.name, std::hash<std::string>{}(code)&0xffff);
    }
    return text;
}

void move(weir_plan* plan, char const* path, Use use, char const* const* names, hid_t const* types,
          void* const* buffers) {
    auto const ranks = weir::formats::ranks_of(plan);
    Quiet const quiet;
    FirstFailure failure;
    std::vector<DatasetRequest> all;
    std::string said;
    failure.attempt([&] {
        all = asked(plan, path, names, types);
        said = in_words(path, all);
    });
    failure.agree(ranks);
    agree_on_text(ranks, said, "ranks do not ask for the same", "Pass the same file, names and types on all ranks.");
    auto const places = failure.found_by_root<DatasetPlace>(ranks, all.size(), [&] {
        Hdf5File file(path, use);
        auto found = file.places(all);
        file.close();
        return found;
    });
    std::vector<std::int64_t> offsets;
    std::vector<int> numbers;
    failure.attempt([&] {
        for (auto const& place : places) {
            offsets.push_back(place.offset);
            numbers.push_back(place.number);
        }
    });
    failure.agree(ranks);
    if (std::ranges::any_of(places, [](DatasetPlace const& place) { return place.direct == 0; })) {
        weir::formats::through_hdf5(plan, path, use, all, buffers);
        return;
    }
    weir::formats::transfer(plan, use, path, offsets, numbers, buffers);
}

}  // namespace

int weir_hdf5_write(weir_plan* plan, char const* path, char const* const names[], hid_t const types[],
                    void* const buffers[], weir_error* error) {
    return guarded(error, [&] { move(plan, path, Use::write, names, types, buffers); });
}

int weir_hdf5_read(weir_plan* plan, char const* path, char const* const names[], hid_t const types[],
                   void* const buffers[], weir_error* error) {
    return guarded(error, [&] { move(plan, path, Use::read, names, types, buffers); });
}
