#pragma once

#include <functional>
#include <span>
#include <vector>

#include "apps/flash/gas/blocks.hpp"

namespace weir::flash {

/// What a rank needs of one block: `size` cells of all variables. What `low` means is between those who need and who
/// give: a first cell, a face, a child.
struct BlockPiece {
    std::uint64_t block = 0;
    Triple low{};
    Triple size{};
};

/// Pieces of blocks that other ranks hold, or this one: one message from each rank that gives to each that needs. Who
/// gives what is agreed once, so that it can be repeated.
class Gather {
  public:
    /// Writes a piece of this rank's blocks: variables * volume(size) numbers.
    using Give = std::function<void(BlockPiece const&, double*)>;

    /// `needed`: by this rank, of blocks as they are distributed there. Collective.
    Gather(Blocks const&, std::vector<BlockPiece> needed);

    /// Brings other ranks' pieces. Collective.
    void exchange(Give const&);

    /// Piece i, of another rank's block, as of the last exchange(). Local.
    [[nodiscard]] double const* received(std::size_t i) const { return from_[giver_[i]].data.data() + place_[i]; }

    /// Piece i, or what is given now if its block is on this rank. Valid until the next call. Local.
    double const* get(std::size_t i, Give const&);

  private:
    struct GatherPartner {
        std::uint64_t rank = 0;
        std::vector<BlockPiece> pieces;
        Doubles data;
    };
    static GatherPartner& with(std::vector<GatherPartner>&, std::uint64_t rank);
    void agree_with_givers();

    Communicator comm_;
    std::vector<BlockPiece> needed_;
    std::vector<Index> place_;  ///< of each piece in its giver's data; -1: its block is here
    std::vector<std::size_t> giver_;
    std::vector<GatherPartner> from_, to_;
    Doubles own_;
};

}  // namespace weir::flash
