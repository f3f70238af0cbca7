#pragma once

#include <hdf5.h>

#include <utility>

namespace weir {

/// An HDF5 object that is closed by `close_it`; H5I_INVALID_HID if there is none.
class Hdf5Handle {
  public:
    using Closer = herr_t (*)(hid_t);

    Hdf5Handle() = default;
    Hdf5Handle(hid_t id, Closer close_it) : id_(id), close_it_(close_it) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept
        : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_it_(other.close_it_) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_it_, other.close_it_);
        return *this;
    }
    ~Hdf5Handle() { static_cast<void>(close()); }

    [[nodiscard]] hid_t get() const { return id_; }
    [[nodiscard]] bool open() const { return id_ >= 0; }

    /// Negative if it failed; not retried.
    herr_t close() { return open() ? close_it_(std::exchange(id_, H5I_INVALID_HID)) : 0; }

  private:
    hid_t id_ = H5I_INVALID_HID;
    Closer close_it_ = nullptr;
};

/// A dataset's layout: space allocated at creation, without fill values, so that only the requested I/O is timed.
inline Hdf5Handle whole_layout() {
    Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER);
    return layout;
}

/// Memory space with an empty selection. With a null dataspace the library would fall back to independent access.
inline Hdf5Handle no_memory() {
    hsize_t const one = 1;
    Hdf5Handle memory(H5Screate_simple(1, &one, nullptr), H5Sclose);
    H5Sselect_none(memory.get());
    return memory;
}

}  // namespace weir
