#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/memory.hpp"

namespace weir {

/// A table of 2^k words over all ranks, in ranges of nearly equal length, and random updates of it: word (a mod 2^k) of
/// the table is xored with a. Any number of ranks.
class UpdateTable {
  public:
    /// Local; touches its memory. 2^k at least the number of ranks. Throws Error without memory for it.
    UpdateTable(Communicator const&, unsigned k, Pages);

    [[nodiscard]] std::uint64_t words() const { return std::uint64_t{1} << k_; }

    /// Word i becomes i. Local.
    void reset();

    /// All updates of the sequence up to `count`, each rank its share of them. A rank holds `look_ahead` of them and
    /// passes them on in ceil(log2 ranks) messages: those whose owner is 2^d ranks further, by each binary digit d of the
    /// distance (hypercube routing, after S. J. Plimpton et al., CLUSTER 2006, here round a ring, for any number of
    /// ranks). Collective. Returns the most updates that this rank held at a time.
    std::uint64_t update(std::uint64_t count, std::uint64_t look_ahead);

    /// The same updates by another way, all to their owners at once, of any size; a second time undoes them. Collective.
    void update_plainly(std::uint64_t count);

    /// Those of this rank's range.
    [[nodiscard]] std::span<std::uint64_t const> own_words() const { return {table_, end_ - begin_}; }

    /// Words that are not i; local.
    [[nodiscard]] std::uint64_t wrong_words() const;

    /// Changes so many words, evenly spread: for tests of the check. Local.
    void spoil(double share);

  private:
    [[nodiscard]] std::uint64_t owner(std::uint64_t update) const {
        return ((update & (words() - 1)) * comm_.size()) >> k_;
    }
    void apply(std::uint64_t const* updates, std::uint64_t count);
    void generate(std::uint64_t count);
    std::uint64_t pass_on(std::uint64_t apart, bool last, std::uint64_t look_ahead);
    void exchange_plainly(std::vector<std::vector<std::uint64_t>> const& to);

    Communicator comm_;
    unsigned k_;
    std::uint64_t begin_;
    std::uint64_t end_;
    std::unique_ptr<Buffer> memory_;
    std::uint64_t* table_;
    std::uint64_t last_ = 1;            ///< of the sequence
    std::uint64_t held_count_ = 0;
    std::vector<std::uint64_t> held_;
    std::vector<std::uint64_t> leaving_;
};

/// The first index of a rank's range. Pure.
std::uint64_t begin_of_range(std::uint64_t rank, std::uint64_t ranks, unsigned k);

}  // namespace weir
