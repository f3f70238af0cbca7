#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace weir::formats {

/// An HDF5 object, released by the destructor; H5I_INVALID_HID if there is none.
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

    /// Negative if HDF5 failed, such as in flushing to a full disk. Not retried.
    herr_t release() { return id_ < 0 ? 0 : H5Idec_ref(std::exchange(id_, H5I_INVALID_HID)); }

  private:
    hid_t id_ = H5I_INVALID_HID;
};

/// During its lifetime, HDF5 prints no errors.
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

/// The innermost message of HDF5's error stack, which has the actual cause.
std::string words_of_hdf5();

/// Throws Failure (WEIR_IO) with them.
[[noreturn]] void fail_in_hdf5(std::string const& problem, std::string const& suggestion);

/// The object that a call returned; throws Failure if it failed. Takes ownership of the object before problem() makes a
/// text, which may fail for lack of memory.
template <class Problem>
Hdf5Object made(hid_t id, Problem problem, char const* suggestion) {
    Hdf5Object object(id);
    if (id < 0) {
        fail_in_hdf5(problem(), suggestion);
    }
    return object;
}

}  // namespace weir::formats
