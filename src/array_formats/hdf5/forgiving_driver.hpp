#pragma once

#include <memory>
#include <string>

#include "array_formats/hdf5/hdf5_object.hpp"

namespace weir::formats {

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

}  // namespace weir::formats
