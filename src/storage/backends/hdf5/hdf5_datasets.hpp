#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "storage/backends/hdf5/hdf5_handle.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"
#include "storage/datasets.hpp"

namespace weir {

/// The datasets of a file; the most recently used ones are open. A failed call leaves its reason in HDF5's error stack.
class Hdf5Datasets {
  public:
    struct Dataset {
        Hdf5Handle data;
        std::uint64_t index = 0;
        std::uint64_t bytes = 0;
    };

    Hdf5Datasets(Datasets shape, Hdf5Settings settings) : shape_(shape), settings_(settings) {}

    /// Switches to the datasets of this file. `are_there`: all exist; otherwise each is created at its first use.
    /// `all_stay`: none is closed before close().
    void use(hid_t file, bool are_there, bool all_stay);

    [[nodiscard]] Datasets const& shape() const { return shape_; }
    /// Can a rank open one without the others?
    [[nodiscard]] bool open_at_any_time() const { return !settings_.collective_metadata; }
    [[nodiscard]] bool all_there() const { return std::all_of(is_there_.begin(), is_there_.end(), std::identity()); }

    /// The dataset; null: the library failed. Collective if the dataset has to be created. Refuses one that is smaller
    /// than the file's shape requires (Error).
    Dataset const* get(std::uint64_t index);

    /// The dataset's dataspace with this part selected; nothing is selected if `bytes` is 0. The same object in every
    /// call.
    hid_t select(Dataset const&, std::uint64_t offset, std::uint64_t bytes);

    herr_t close();

  private:
    /// Objects that depend only on the size.
    struct OfSize {
        Hdf5Handle handle;
        std::uint64_t bytes = 0;
    };

    hid_t make(std::uint64_t index);
    hid_t space_of(std::uint64_t bytes);

    Datasets shape_;
    Hdf5Settings settings_;
    hid_t file_ = H5I_INVALID_HID;
    std::vector<bool> is_there_;
    std::vector<Dataset> open_;  ///< direct-mapped: slot = index modulo their number
    OfSize layout_;
    OfSize space_;
    std::uint64_t selected_from_ = 0;
    std::uint64_t selected_bytes_ = 0;
};

}  // namespace weir
