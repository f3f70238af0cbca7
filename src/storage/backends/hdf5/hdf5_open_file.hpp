#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/hdf5_handle.hpp"
#include "core/hdf5_own_data.hpp"
#include "storage/backends/hdf5/hdf5_settings.hpp"
#include "storage/library_file.hpp"

namespace weir {

/// Versions up to 1.10 refuse independent requests of 2 GiB and more: larger ones are split.
constexpr std::uint64_t largest_piece = 1ULL << 30;

/// Memory space with an empty selection. With a null dataspace the library would fall back to independent access.
inline Hdf5Handle no_memory() {
    hsize_t const one = 1;
    Hdf5Handle memory(H5Screate_simple(1, &one, nullptr), H5Sclose);
    H5Sselect_none(memory.get());
    return memory;
}

struct Hdf5 {
    static constexpr char const* name = "HDF5";
    static bool failed(std::int64_t status) { return status < 0; }

    /// Of a call that has just failed. Its reason is the innermost message of the library's error stack, which says
    /// what really happened and is kept until the next call.
    static Error error(std::string problem, std::int64_t status);
};

/// Base of all HDF5 files, whatever they contain: opened through the library's MPI-IO driver.
class Hdf5OpenFile : public LibraryFile<Hdf5> {
  public:
    ~Hdf5OpenFile() override;

    void sync() override;
    [[nodiscard]] Hints hints() const override;

  protected:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    Hdf5OpenFile(OpenRequest const&, Hdf5Settings const&);

    /// Sets whether requests are collective.
    void make_collective(bool collective);

    /// Throws if the library silently made a collective request independent. Once per file: the conditions for that do
    /// not change.
    void check_collective();

    /// Reserves at least this many bytes for the file. Collective.
    void reserve(std::uint64_t bytes);

    Hdf5Handle file_;
    Hdf5Handle transfer_;                                              ///< transfer property list
    Hdf5Handle within_file_ = access_within_file(H5P_DATASET_ACCESS);  ///< of datasets

  private:
    void open_file(OpenRequest const&, Hdf5Settings const&);

    bool checked_collective_ = false;
};

/// A file of byte datasets, named by Datasets::name_of(). As the constructor of Hdf5OpenFile, as the next.
std::unique_ptr<OpenFile> open_bytes(OpenRequest const&, Hdf5Settings const&);

/// A file of arrays.
std::unique_ptr<OpenFile> open_arrays(OpenRequest const&, Hdf5Settings const&);

}  // namespace weir
