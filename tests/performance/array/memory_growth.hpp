#pragma once

#include <cstdint>

#include "comm/communicator.hpp"

namespace weir::performance {

/// How much more memory the ranks of a node hold than at construction, at most: what they hold now, each shared page
/// counted once (Pss), and on top what each held in between and has given back (VmHWM). Linux only. Collective.
class MemoryGrowth {
  public:
    explicit MemoryGrowth(Communicator const&);
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    Communicator const& comm_;
    std::uint64_t before_;
};

}  // namespace weir::performance
