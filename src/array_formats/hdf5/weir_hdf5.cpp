// The C interface of the library for HDF5.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "array_formats/common/format_call.hpp"
#include "array_formats/common/whole_elements.hpp"
#include "array_formats/hdf5/hdf5_file.hpp"
#include "weir/hdf5.h"

namespace weir::formats {
namespace {

/// Datasets that write and read pieces of arrays. Only on rank 0.
class Slabs {
  public:
    Slabs(std::string const& path, Use use, std::vector<DatasetRequest> const& all) : file_(path, use) {
        for (auto const& request : all) {
            slabs_.push_back({request, file_.dataset(request), WholeElements(request.array.element_bytes)});
        }
    }

    void write(int array, std::uint64_t start, std::span<std::byte const> data) {
        auto& slab = slabs_[static_cast<std::size_t>(array)];
        slab.elements.write(start, data, [&](std::uint64_t first, std::uint64_t count, std::byte const* bytes) {
            each_selection(slab, first, count, [&](hid_t memory, hid_t space, std::uint64_t before) {
                return H5Dwrite(slab.dataset.get(), slab.request.type, memory, space, H5P_DEFAULT, bytes + before);
            });
        });
        file_.check_written();
    }

    void read(int array, std::uint64_t start, std::span<std::byte> data) {
        auto& slab = slabs_[static_cast<std::size_t>(array)];
        slab.elements.read(start, data, [&](std::uint64_t first, std::uint64_t count, std::byte* bytes) {
            each_selection(slab, first, count, [&](hid_t memory, hid_t space, std::uint64_t before) {
                return H5Dread(slab.dataset.get(), slab.request.type, memory, space, H5P_DEFAULT, bytes + before);
            });
        });
    }

    /// Flushes what HDF5 has buffered.
    void close() {
        slabs_.clear();
        file_.close();
    }

    std::optional<Failure> failure;

  private:
    struct DatasetSlab {
        DatasetRequest request;
        Hdf5Object dataset;
        WholeElements elements;
    };

    /// Elements of an array as selections of its dataset: transfer(memory, space, bytes before).
    template <class Transfer>
    static void each_selection(DatasetSlab const& slab, std::uint64_t first, std::uint64_t count, Transfer transfer) {
        auto const& array = slab.request.array;
        auto const origin = start_of(array);
        Hdf5Object const space(H5Dget_space(slab.dataset.get()));
        std::uint64_t before = 0;
        each_box(shape_of(array), first, count, [&](Extents const& start, Extents const& box) {
            std::vector<hsize_t> at(start.begin(), start.end());
            std::vector<hsize_t> const extent(box.begin(), box.end());
            hsize_t elements = 1;
            for (std::size_t k = 0; k < at.size(); ++k) {
                at[k] += origin[k];
                elements *= extent[k];
            }
            Hdf5Object const memory(H5Screate_simple(1, &elements, nullptr));
            H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, at.data(), nullptr, extent.data(), nullptr);
            if (transfer(memory.get(), space.get(), before * array.element_bytes) < 0) {
                fail_in_hdf5(fmt::format("dataset {} cannot be moved", slab.request.name),
                             "Is there space left, and are its filters there?");
            }
            before += elements;
        });
    }

    Hdf5File file_;
    std::vector<DatasetSlab> slabs_;
};

/// The failure is kept unchanged: the plan handles it as one of a target.
template <class Work>
int answered(void* context, Work work) {
    auto& slabs = *static_cast<Slabs*>(context);
    Quiet const quiet;
    if (!slabs.failure) {
        slabs.failure = attempted([&] { work(slabs); });
    }
    return slabs.failure ? slabs.failure->code() : WEIR_OK;
}

int write_piece(void* context, int array, std::int64_t start, std::int64_t bytes, void const* data, char*) {
    return answered(context, [&](Slabs& slabs) {
        slabs.write(array, static_cast<std::uint64_t>(start),
                    {static_cast<std::byte const*>(data), static_cast<std::size_t>(bytes)});
    });
}

int read_piece(void* context, int array, std::int64_t start, std::int64_t bytes, void* data, char*) {
    return answered(context, [&](Slabs& slabs) {
        slabs.read(array, static_cast<std::uint64_t>(start),
                   {static_cast<std::byte*>(data), static_cast<std::size_t>(bytes)});
    });
}

struct FreePlan {
    void operator()(weir_plan* plan) const { weir_plan_free(plan); }
};

/// A plan's `memory` may be enough for its own method, and not for this one, which then takes the least that it can.
std::unique_ptr<weir_plan, FreePlan> gathering(weir_plan* plan) {
    weir_plan* made = nullptr;
    weir_error error;
    if (weir_plan_alike(plan, "method=gather", &made, &error) == WEIR_BAD_ARGUMENT) {
        weir_plan_alike(plan, "method=gather memory=0B window=4KiB", &made, &error);
    }
    check(error);
    return std::unique_ptr<weir_plan, FreePlan>(made);
}

/// Moves a plan's arrays to or from datasets that only HDF5 can write or read: all through rank 0, window by window.
/// Collective; throws Failure, the same on all ranks.
void through_hdf5(weir_plan* plan, char const* path, Use use, std::vector<DatasetRequest> const& all,
                  void* const* buffers) {
    auto const ranks = ranks_of(plan);
    FirstFailure failure;
    auto const gathered = gathering(plan);
    std::unique_ptr<Slabs> slabs;
    failure.on_root(ranks, [&] { slabs = std::make_unique<Slabs>(path, use, all); });
    weir_target const target{slabs.get(), write_piece, read_piece};
    weir_error error;
    if (use == Use::write) {
        weir_write_target(gathered.get(), &target, buffers, &error);
    } else {
        weir_read_target(gathered.get(), &target, buffers, &error);
    }
    failure.on_root(ranks, [&] {
        auto const closed = attempted([&] { slabs->close(); });
        if (slabs->failure || closed) {
            throw slabs->failure ? *slabs->failure : *closed;
        }
        if (use == Use::write && weir_plan_has(plan, "sync") != 0) {
            sync_to_device(path);
        }
    });
    check(error);
}

/// The caller's request. Throws Failure if it is invalid.
std::vector<DatasetRequest> asked(weir_plan const* plan, char const* path, char const* const* names,
                                  hid_t const* types) {
    check_arguments(plan, path, names, types);
    std::vector<DatasetRequest> all;
    for (auto const& array : arrays_of(plan)) {
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
    auto const ranks = ranks_of(plan);
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
        through_hdf5(plan, path, use, all, buffers);
        return;
    }
    transfer(plan, use, path, offsets, numbers, buffers);
}

}  // namespace
}  // namespace weir::formats

using weir::formats::Use;

int weir_hdf5_write(weir_plan* plan, char const* path, char const* const names[], hid_t const types[],
                    void* const buffers[], weir_error* error) {
    return weir::guarded(error, [&] { weir::formats::move(plan, path, Use::write, names, types, buffers); });
}

int weir_hdf5_read(weir_plan* plan, char const* path, char const* const names[], hid_t const types[],
                   void* const buffers[], weir_error* error) {
    return weir::guarded(error, [&] { weir::formats::move(plan, path, Use::read, names, types, buffers); });
}
