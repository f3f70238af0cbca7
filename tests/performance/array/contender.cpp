#include "array/contender.hpp"

#include "comm/launch_facts.hpp"
#include "core/error.hpp"

namespace weir::performance {

void refuse_other_mpi_io(std::string const& wanted) {
    // Open MPI tells which components it may use, and has no other then; in every other MPI it is ROMIO.
    auto const component = mpi_control_variable("io").value_or("romio");
    auto const found = component.starts_with("romio") || component == "^ompio" ? "romio" : "ompio";
    validate(found == wanted, "MPI-IO is " + std::string(found) + ", not " + wanted,
             "the MPI may use '" + component + "'", "Start it under the MPI-IO that the contender names.");
}

}  // namespace weir::performance
