#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "storage/backends/hdf5/hdf5_handle.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"
#include "storage/datasets.hpp"

namespace weir {

/// The datasets of a file, of which the ones used last are open. Calls that fail leave their reason in the library's
/// error stack.
class Hdf5Datasets {
  public:
    struct Dataset {
        Hdf5Handle data;
        std::uint64_t index = 0;
        std::uint64_t bytes = 0;
    };

    Hdf5Datasets(Datasets shape, Hdf5Settings settings) : shape_(shape), settings_(settings) {}

    /// From now on those of this file. `are_there`: it holds them all, else each is made when it is first asked for.
    /// `all_stay`: none is closed before close().
    void use(hid_t file, bool are_there, bool all_stay);

    [[nodiscard]] Datasets const& shape() const { return shape_; }
    /// Can a rank open one by itself?
    [[nodiscard]] bool open_at_any_time() const { return !settings_.collective_metadata; }
    [[nodiscard]] bool all_there() const { return std::all_of(is_there_.begin(), is_there_.end(), std::identity()); }

    /// The dataset; null: the library failed. All ranks must ask for it together where it is to be made. Refuses one
    /// that is smaller than the file's shape has it (Error).
    Dataset const* get(std::uint64_t index);

    /// A space of the dataset in which this part is selected; nothing where `bytes` is 0. It is the same object in
    /// every call.
    hid_t select(Dataset const&, std::uint64_t offset, std::uint64_t bytes);

    herr_t close();

  private:
    /// What is made again only where the size changes.
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
    std::vector<Dataset> open_;  ///< a dataset's place is its index modulo their number
    OfSize layout_;
    OfSize space_;
    std::uint64_t selected_from_ = 0;
    std::uint64_t selected_bytes_ = 0;
};

}  // namespace weir
