#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace weir {

// What the back-end and the library for HDF5 have in common: a header alone, since nothing else is linked with HDF5.

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

    /// Gives up ownership; the object stays open.
    hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }

    /// Negative if it failed; not retried.
    herr_t close() { return open() ? close_it_(std::exchange(id_, H5I_INVALID_HID)) : 0; }

  private:
    hid_t id_ = H5I_INVALID_HID;
    Closer close_it_ = nullptr;
};

/// The innermost words of HDF5's last error, which say what really happened and are kept until the next call;
/// `otherwise` if it gives none.
inline std::string words_of_hdf5(char const* otherwise) {
    std::string words = otherwise;
    auto const keep_first = [](unsigned index, H5E_error2_t const* entry, void* kept) -> herr_t {
        if (index == 0 && entry->desc != nullptr) {
            *static_cast<std::string*>(kept) = entry->desc;
        }
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &words);
    return words;
}

}  // namespace weir
