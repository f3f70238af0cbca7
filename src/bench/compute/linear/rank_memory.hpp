#pragma once

#include <cstdint>

#include "comm/communicator.hpp"
#include "core/memory.hpp"
#include "core/option.hpp"

namespace weir {

/// The memory that a test of the HPC Challenge may fill, from which it takes its sizes (HPCC: that of the matrix of
/// HPL), and of which pages it is: the options `memory` and `large_pages`.
class RankMemory {
  public:
    /// Its pages unless others are asked for.
    explicit RankMemory(Pages by_default = Pages::usual) : large_pages_(by_default == Pages::large) {}

    void declare(OptionSet&);

    /// The option `memory` alone.
    void declare_size(OptionSet&);

    /// Bytes of each rank, the same on all: what was asked for, or the share of free memory, divided by the ranks of
    /// the node that has least. Collective.
    [[nodiscard]] std::uint64_t of_rank(Communicator const&) const;

    /// The same before a launch, as if all ranks were on this node. Local.
    [[nodiscard]] std::uint64_t of_rank_here(std::uint64_t ranks) const;

    /// Whether the user said how much.
    [[nodiscard]] bool is_asked() const { return asked_.value > 0; }

    [[nodiscard]] Pages pages() const { return large_pages_ ? Pages::large : Pages::usual; }

    static constexpr double share = 0.8;  ///< of free memory, by default

  private:
    Bytes asked_{};
    bool large_pages_;
};

}  // namespace weir
