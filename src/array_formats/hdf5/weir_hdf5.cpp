// The C interface of the library for HDF5.

#include "weir/hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "array_formats/common/together.hpp"
#include "array_formats/hdf5/through_hdf5.hpp"

using weir::formats::Access;
using weir::formats::fail;
using weir::formats::Hdf5File;
using weir::formats::Quiet;
using weir::formats::Route;
using weir::formats::Together;
using weir::formats::Wanted;

namespace {

/// What the caller asks for. Throws Failure where that means nothing.
std::vector<Wanted> asked(weir_plan const* plan, char const* path, char const* const* names, hid_t const* types) {
    weir::formats::check_asked(plan, path, names, types);
    std::vector<Wanted> all;
    for (auto const& array : weir::formats::arrays_of(plan)) {
        auto const i = all.size();
        bool const named = names[i] != nullptr && *names[i] != 0;
        auto const name = named ? std::string(names[i]) : std::string();
        bool const again = std::ranges::any_of(all, [&](Wanted const& other) { return other.name == name; });
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

/// What all ranks must ask for alike.
std::string in_words(char const* path, std::vector<Wanted> const& all) {
    std::string text = path == nullptr ? "" : path;
    for (auto const& wanted : all) {
        std::size_t length = 0;
        H5Tencode(wanted.type, nullptr, &length);
        std::string code(length, 0);
        H5Tencode(wanted.type, code.data(), &length);
        text += fmt::format(", {} of type {:x}", wanted.name, std::hash<std::string>{}(code)&0xffff);
    }
    return text;
}

void move(weir_plan* plan, char const* path, Access access, char const* const* names, hid_t const* types,
          void* const* buffers) {
    weir::formats::check_plan(plan);
    Quiet const quiet;
    Together together(weir_plan_comm(plan));
    std::vector<Wanted> all;
    std::string said;
    together.attempt([&] {
        all = asked(plan, path, names, types);
        said = in_words(path, all);
    });
    together.agree_on(said);
    auto const routes = together.found_by_root<Route>(all.size(), [&] {
        Hdf5File file(path, access);
        auto found = file.routes(all);
        file.close();
        return found;
    });
    std::vector<std::int64_t> offsets;
    std::vector<int> numbers;
    together.attempt([&] {
        for (auto const& route : routes) {
            offsets.push_back(route.offset);
            numbers.push_back(route.number);
        }
    });
    together.agree();
    if (std::ranges::any_of(routes, [](Route const& route) { return route.direct == 0; })) {
        weir::formats::through_hdf5(plan, path, access, all, buffers);
        return;
    }
    weir_error error;
    if (access == Access::write) {
        weir_write_swapped(plan, path, offsets.data(), numbers.data(), buffers, &error);
    } else {
        weir_read_swapped(plan, path, offsets.data(), numbers.data(), buffers, &error);
    }
    weir::formats::check(error);
}

}  // namespace

int weir_hdf5_write(weir_plan* plan, char const* path, char const* const names[], hid_t const types[],
                    void* const buffers[], weir_error* error) {
    return weir::formats::guarded(error, [&] { move(plan, path, Access::write, names, types, buffers); });
}

int weir_hdf5_read(weir_plan* plan, char const* path, char const* const names[], hid_t const types[],
                   void* const buffers[], weir_error* error) {
    return weir::formats::guarded(error, [&] { move(plan, path, Access::read, names, types, buffers); });
}
