#pragma once

#include <memory>
#include <string>
#include <vector>

#include "array_formats/common/file_shape.hpp"
#include "array_formats/common/format_call.hpp"
#include "core/hdf5_handle.hpp"

namespace weir::formats {

/// An object of HDF5 that is released at the end.
class Hdf5Object : public Hdf5Handle {
  public:
    Hdf5Object() = default;
    explicit Hdf5Object(hid_t id) : Hdf5Handle(id, H5Idec_ref) {}
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

/// Throws Failure (WEIR_IO) with HDF5's words.
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

/// A driver for one file like HDF5's own, except that no write fails for HDF5: the first failure is kept for check(),
/// and later writes are discarded. Reason: HDF5 cannot close a file that it cannot write (a full disk): it leaks
/// memory, keeps the file open, retries in vain at program exit, and may crash there.
class ForgivingDriver {
  public:
    ForgivingDriver();

    /// Makes it the driver of files opened with these properties. It must outlive them. Throws Failure.
    void serve(Hdf5Object const& properties_of_access) const;

    /// Throws Failure (WEIR_IO) if a write has failed.
    void check(std::string const& problem, std::string const& suggestion) const;

    /// The first failure of a write.
    struct Refusal {
        bool happened = false;
        std::string words;
    };

  private:
    std::unique_ptr<Refusal> refusal_;
    Hdf5Object driver_;
};

/// A requested dataset, and its array of the plan.
struct DatasetRequest {
    std::string name;
    hid_t type = H5I_INVALID_HID;  ///< of an element in memory; the caller's
    weir_file_array array{};
    std::size_t index = 0;  ///< of the array
};

/// How an array is moved to its dataset.
struct DatasetPlace {
    std::int64_t offset = 0;  ///< in the file
    std::int32_t number = 1;  ///< size of the dataset's numbers in the other byte order; 1: none
    std::int32_t direct = 1;  ///< 0: through HDF5
};

/// An HDF5 file of this process alone. All members throw Failure.
class Hdf5File {
  public:
    /// For writing, it is created if it does not exist.
    Hdf5File(std::string path, Use);

    /// The datasets' offsets. For writing, missing ones are created: none if one of the existing ones does not fit its
    /// array.
    std::vector<DatasetPlace> places(std::vector<DatasetRequest> const&);

    /// A dataset that fits its array. Its chunks, if any, are cached until a layer of them is complete.
    Hdf5Object dataset(DatasetRequest const&) const;

    /// Throws if a write has failed.
    void check_written() const;

    /// Release its datasets first.
    void close();

  private:
    [[nodiscard]] bool holds(std::string const& name) const;
    void create(DatasetRequest const&) const;
    void check(DatasetRequest const&, Hdf5Object const& dataset) const;
    [[nodiscard]] DatasetPlace place(DatasetRequest const&) const;

    std::string path_;
    Use use_;
    ForgivingDriver driver_;
    Hdf5Object file_;
};

}  // namespace weir::formats
