#pragma once

#include <pnetcdf.h>

#include <memory>
#include <string>

#include "storage/library_file.hpp"

namespace weir {

/// The library refuses requests of more than 2 GiB.
constexpr std::uint64_t largest_piece = 1ULL << 30;

struct Pnetcdf {
    static constexpr char const* name = "PnetCDF";
    static bool failed(int status) { return status != NC_NOERR; }
    static Error error(std::string problem, int status);  ///< in the library's words, and with advice
};

/// Base of all netCDF files, whatever they contain: opened as CDF-5, through PnetCDF.
class PnetcdfOpenFile : public LibraryFile<Pnetcdf> {
  public:
    [[nodiscard]] Hints hints() const override;

  protected:
    /// Collective over the request's communicator; if it fails on one rank, it throws on all.
    explicit PnetcdfOpenFile(OpenRequest const&);

    /// Reserves at least this many bytes for the file.
    void reserve(std::uint64_t bytes);

    /// Offset of a variable's data in the file.
    [[nodiscard]] std::uint64_t begin_of(int variable) const;

    int file_ = -1;
};

/// A file of byte variables, named by Datasets::name_of(). `nonblocking` is how many writes are posted before they are
/// waited for; 0 for blocking ones. As the constructor of PnetcdfOpenFile, as the next.
std::unique_ptr<OpenFile> open_bytes(OpenRequest const&, std::uint64_t nonblocking);

/// A file of arrays.
std::unique_ptr<OpenFile> open_arrays(OpenRequest const&);

}  // namespace weir
