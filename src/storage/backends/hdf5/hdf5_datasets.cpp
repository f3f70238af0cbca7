#include "storage/backends/hdf5/hdf5_datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace weir {
namespace {

/// The most datasets kept open. An open one costs memory and time to close; a closed one, time to open again.
constexpr std::uint64_t most_open = 8;

Hdf5Handle layout_of(std::uint64_t bytes, Hdf5Settings const& settings) {
    auto layout = whole_layout();
    if (settings.chunk > 0) {
        hsize_t const chunk = std::min(settings.chunk, bytes);
        H5Pset_chunk(layout.get(), 1, &chunk);
    }
    return layout;
}

std::uint64_t size_of(hid_t dataset) {
    Hdf5Handle const space(H5Dget_space(dataset), H5Sclose);
    return static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space.get()));
}

[[noreturn]] void refuse_short(std::string const& name, std::uint64_t bytes, std::uint64_t wanted) {
    throw Error({fmt::format("the dataset '{}' has {} of {} bytes", name, bytes, wanted),
                 "it was not written with this shape", "Write it first, with the same shape.", ExitCode::cannot_run});
}

}  // namespace

void Hdf5Datasets::use(hid_t file, bool are_there, bool all_stay) {
    file_ = file;
    is_there_.assign(shape_.count(), are_there);
    open_.resize(all_stay ? shape_.count() : std::min(shape_.count(), most_open));
}

Hdf5Datasets::Dataset const* Hdf5Datasets::get(std::uint64_t index) {
    auto& place = open_[index % open_.size()];
    if (place.data.open() && place.index == index) [[likely]] {
        return &place;
    }
    auto const wanted = shape_.bytes_of(index);
    auto const is_there = is_there_[index];
    if (place.data.close() < 0) {
        return nullptr;
    }
    Hdf5Handle data(is_there ? H5Dopen2(file_, shape_.name_of(index).c_str(), H5P_DEFAULT) : make(index), H5Dclose);
    if (!data.open()) {
        return nullptr;
    }
    auto const bytes = is_there ? size_of(data.get()) : wanted;
    if (bytes < wanted) {
        refuse_short(shape_.name_of(index), bytes, wanted);
    }
    is_there_[index] = true;
    place = {std::move(data), index, bytes};
    return &place;
}

hid_t Hdf5Datasets::make(std::uint64_t index) {
    auto const bytes = shape_.bytes_of(index);
    if (layout_.bytes != bytes) {
        layout_ = {layout_of(bytes, settings_), bytes};
    }
    return H5Dcreate2(file_, shape_.name_of(index).c_str(), H5T_STD_U8LE, space_of(bytes), H5P_DEFAULT,
                      layout_.handle.get(), H5P_DEFAULT);
}

hid_t Hdf5Datasets::space_of(std::uint64_t bytes) {
    if (space_.bytes != bytes) {
        hsize_t const size = bytes;
        space_ = {Hdf5Handle(H5Screate_simple(1, &size, nullptr), H5Sclose), bytes};
        selected_from_ = 0;
        selected_bytes_ = bytes;
    }
    return space_.handle.get();
}

hid_t Hdf5Datasets::select(Dataset const& dataset, std::uint64_t offset, std::uint64_t bytes) {
    auto const space = space_of(dataset.bytes);
    if (bytes == selected_bytes_ && offset == selected_from_) {
        return space;
    }
    hsize_t const start = offset;
    hsize_t const count = bytes;
    auto const status = bytes == 0 ? H5Sselect_none(space)
                                   : H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    selected_from_ = offset;
    selected_bytes_ = bytes;
    return status < 0 ? H5I_INVALID_HID : space;
}

herr_t Hdf5Datasets::close() {
    herr_t worst = 0;
    for (auto& dataset : open_) {
        worst = std::min(worst, dataset.data.close());
    }
    return worst;
}

}  // namespace weir
