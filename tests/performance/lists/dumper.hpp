#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "array/contender.hpp"
#include "lists/decomposition.hpp"

namespace weir::performance {

/// The variables of a dump: doubles, all on one decomposition, one after the other in the file.
struct Variables {
    Communicator comm;
    Decomposition list;
    int count = 1;

    [[nodiscard]] std::size_t held() const { return static_cast<std::size_t>(list.held()); }  ///< of each
    [[nodiscard]] std::int64_t bytes() const { return list.elements * static_cast<std::int64_t>(sizeof(double)); }
};

/// A way to write the variables to a new file, and to read them. All members are collective, and throw Error. The
/// variables lie one after the other in memory. When a file is written, its data is on the device.
class Dumper {
  public:
    virtual ~Dumper() = default;
    virtual void write(std::string const& path, std::span<double> data) = 0;
    virtual void read(std::string const& path, std::span<double> data) = 0;
    virtual FilePlace place(std::string const&) { return {}; }
};

struct NamedDumper {
    std::string name;
    std::string what;
    std::unique_ptr<Dumper> dumper;
};

/// The two-phase library with a plan that is made once; and with one that is described, made and freed for each dump.
NamedDumper weir_dumper(Variables const&);
NamedDumper weir_planning_dumper(Variables const&);

/// MPI-IO through a view of the list: a collective call a variable, or one for all; as it is, or with hints for the
/// fastest on one node.
std::vector<NamedDumper> romio_dumpers(Variables const&);

/// PnetCDF's varn calls: one a variable, or non-blocking ones that are completed together. Empty where it is left out.
std::vector<NamedDumper> pnetcdf_dumpers(Variables const&);

}  // namespace weir::performance
