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

/// Throws Failure (WEIR_IO) with HDF5's words.
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

/// A driver for one file, as HDF5's own, but that no write fails for HDF5: the first failure is kept for check(), and
/// what is written afterwards is forgotten. For HDF5 cannot close what it cannot write (a full disk): it loses memory,
/// keeps the file open, tries again in vain when the program ends, and may crash there.
class ForgivingDriver {
  public:
    ForgivingDriver();

    /// Makes it the driver of files that are opened with these properties. It must outlive them. Throws Failure.
    void serve(Hdf5Object const& properties_of_access) const;

    /// Throws Failure (WEIR_IO) where a write has failed.
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

/// A dataset that is asked for, and the array of the plan that belongs to it.
struct DatasetRequest {
    std::string name;
    hid_t type = H5I_INVALID_HID;  ///< of an element in memory; the caller's
    weir_file_array array{};
    std::size_t index = 0;  ///< of the array
};

/// How an array gets to its dataset.
struct DatasetPlace {
    std::int64_t offset = 0;  ///< in the file
    std::int32_t number = 1;  ///< bytes of numbers that the dataset has in the other byte order; 1: none
    std::int32_t direct = 1;  ///< 0: through HDF5
};

/// An HDF5 file of this process alone. All members throw Failure.
class Hdf5File {
  public:
    /// In writing it is created where it is not there.
    Hdf5File(std::string path, Use);

    /// The datasets' places. In writing, those that are not there are created: none where one of the others does not
    /// fit its array.
    std::vector<DatasetPlace> places(std::vector<DatasetRequest> const&);

    /// A dataset that fits its array. Its chunks, where it has any, are kept until a layer of them is complete.
    Hdf5Object dataset(DatasetRequest const&) const;

    /// Throws where something could not be written.
    void check_written() const;

    /// Its datasets are to be released before.
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
