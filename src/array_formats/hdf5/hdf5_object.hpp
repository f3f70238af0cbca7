#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace weir::formats {

/// An object of HDF5 that is released at the end; H5I_INVALID_HID if there is none.
class Hdf5Object {
  public:
    Hdf5Object() = default;
    explicit Hdf5Object(hid_t id) : id_(id) {}
    Hdf5Object(Hdf5Object&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
    Hdf5Object& operator=(Hdf5Object&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~Hdf5Object() { static_cast<void>(release()); }

    [[nodiscard]] hid_t get() const { return id_; }

    /// Negative where HDF5 failed, as when what it still held cannot be written. It is not tried a second time.
    herr_t release() { return id_ < 0 ? 0 : H5Idec_ref(std::exchange(id_, H5I_INVALID_HID)); }

  private:
    hid_t id_ = H5I_INVALID_HID;
};

/// While it exists, HDF5 prints no errors of its own.
class Quiet {
  public:
    Quiet();
    ~Quiet();
    Quiet(Quiet const&) = delete;
    Quiet& operator=(Quiet const&) = delete;

  private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

/// The innermost words of HDF5's last error, which say what really happened.
std::string words_of_hdf5();

/// Throws Failure (WEIR_IO) with them.
[[noreturn]] void fail_in_hdf5(std::string const& problem, std::string const& suggestion);

/// The object that a call returned; throws Failure where it failed. The object is held before problem() makes a text of
/// what failed, for which memory may be used up.
template <class Problem>
Hdf5Object made(hid_t id, Problem problem, char const* suggestion) {
    Hdf5Object object(id);
    if (id < 0) {
        fail_in_hdf5(problem(), suggestion);
    }
    return object;
}

}  // namespace weir::formats
