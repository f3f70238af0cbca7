#pragma once

#include <memory>
#include <string>

#include "array_formats/hdf5/hdf5_object.hpp"

namespace weir::formats {

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

}  // namespace weir::formats
