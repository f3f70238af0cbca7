#pragma once

#include "apps/flash/gas/gather.hpp"

namespace weir::flash {

/// Fills parents with the means of their children, from the finest level to the roots.
class Parents {
  public:
    /// For blocks of this tree. Collective.
    explicit Parents(Blocks const&);

    /// Collective.
    void fill(Blocks&, double gamma);

  private:
    struct ParentLevel {
        std::vector<std::size_t> parents;  ///< of this rank
        Gather children;                   ///< 8 pieces a parent
    };
    std::vector<ParentLevel> levels_;  ///< the finest parents first
};

}  // namespace weir::flash
