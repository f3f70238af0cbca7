#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "array/block.hpp"

namespace weir::performance {

/// What a dump or a read took.
struct Taken {
    std::map<std::string, double> steps_s{};  ///< this rank's, by name; may be empty
    std::optional<double> total_s{};          ///< where the time from the barrier on is not what counts
};

/// A way to write a block-distributed array to one file and to read it back. All members are collective, and throw
/// Error. What they need is allocated and touched when the contender is made.
class Contender {
  public:
    virtual ~Contender() = default;

    /// Makes the file, which is not there; when it returns, all data is on the device and the file closed.
    virtual Taken write(std::string const& path, std::span<double> data) = 0;
    virtual Taken read(std::string const& path, std::span<double> data) = 0;

    /// Where the array lies in a file that was written.
    virtual FilePlace place(std::string const&) { return {}; }

    /// The memory that this rank was asked not to exceed; 0: it was not asked.
    [[nodiscard]] virtual std::uint64_t memory_bound_bytes() const { return 0; }
};

/// What the driver has to know about a contender before MPI runs, and how it is made.
struct Entry {
    std::string name;     ///< as the table shows it, without blanks
    std::string summary;  ///< what it is and how it was told to do it
    std::string role;  ///< "public", "default" (public, and as it is where nobody chooses), "ours", "bound", "storage"
                       ///< (no exchange), "variant" (ours, told how to do it), "boosted" or "absent" (one that is
                       ///< not here)
    std::string mpi_io;  ///< the MPI-IO that it is to run under, "ompio" or "romio"; empty: it needs none
    std::map<std::string, std::string> environment{};  ///< variables that are read when MPI starts
    std::function<std::unique_ptr<Contender>(Block const&)> make{};
};

/// All contenders, by name. Each adds itself with a static Enter in its own source file.
inline std::map<std::string, Entry>& entries() {
    static std::map<std::string, Entry> all;
    return all;
}

/// What goes by MPI-IO is there twice: also with the boost library before it.
struct Enter {
    explicit Enter(Entry entry);
};

/// Throws Error unless MPI-IO is of this implementation here: none is to be passed off as another.
void refuse_other_mpi_io(std::string const& wanted);

}  // namespace weir::performance
