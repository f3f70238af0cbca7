#pragma once

#include <string>
#include <vector>

#include "array_formats/common/file_shape.hpp"
#include "array_formats/common/format_call.hpp"
#include "array_formats/hdf5/forgiving_driver.hpp"

namespace weir::formats {

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
