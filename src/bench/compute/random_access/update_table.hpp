#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bench/compute/random_access/update_sequence.hpp"
#include "comm/communicator.hpp"
#include "core/memory.hpp"

namespace weir {

/// A table of 2^k words over all ranks, in ranges of nearly equal length, and random updates of it: a word, whose index
/// is some bits of a, is xored with a. Any number of ranks.
class UpdateTable {
  public:
    virtual ~UpdateTable() = default;
    UpdateTable(UpdateTable const&) = delete;
    UpdateTable& operator=(UpdateTable const&) = delete;

    /// Local; touches its memory. 0 < k < 64, and 2^k at least the number of ranks. Throws Error without memory for it.
    static std::unique_ptr<UpdateTable> make(UpdateNumbers, Communicator const&, unsigned k, Pages);

    [[nodiscard]] std::uint64_t words() const { return std::uint64_t{1} << k_; }

    /// What is called now and then while updates are made, with how many of this rank's there are, and of how many.
    using Told = std::function<void(std::uint64_t, std::uint64_t)>;
    void tell(Told told) { told_ = std::move(told); }

    /// Word i becomes i. Local.
    void reset();

    /// What a rank did in update().
    struct Made {
        std::uint64_t updates = 0;    ///< the first so many of its share
        std::uint64_t most_held = 0;  ///< at a time, its own and those of others
    };

    /// All updates of the sequence up to `count`, each rank its share of them. A rank makes up to `look_ahead` of them
    /// and passes them on in ceil(log2 ranks) messages: those whose owner is 2^d ranks further, by each binary digit d
    /// of the distance (hypercube routing, after S. J. Plimpton et al., CLUSTER 2006, here round a ring, for any number
    /// of ranks). On up to 64 ranks, a rank holds at most max(look_ahead, ranks) at a time. All ranks end early once
    /// `is_over`, asked now and then, says so on one. Collective.
    virtual Made update(std::uint64_t count, std::uint64_t look_ahead, std::function<bool()> const& is_over) = 0;

    /// The same by another way, all to their owners at once, of any size: of each rank's share of `count`, the first
    /// `made`. A second time undoes them. Collective.
    virtual void update_plainly(std::uint64_t count, std::uint64_t made) = 0;

    /// Those of this rank's range.
    [[nodiscard]] std::span<std::uint64_t const> own_words() const { return {table_, end_ - begin_}; }

    /// Words that are not i; local.
    [[nodiscard]] std::uint64_t wrong_words() const;

    /// Changes so many of all ranks' words, rounded down, evenly spread: for tests of the check. Local.
    void spoil(double share);

  protected:
    UpdateTable(Communicator const&, unsigned k, Pages);

    [[nodiscard]] Communicator const& comm() const { return comm_; }
    [[nodiscard]] unsigned k() const { return k_; }
    void note(std::uint64_t made, std::uint64_t all) const {
        if (told_) {
            told_(made, all);
        }
    }

    /// A word of this rank's range.
    [[nodiscard]] bool is_mine(std::uint64_t index) const { return index - begin_ < end_ - begin_; }
    [[nodiscard]] std::uint64_t* word(std::uint64_t index) const { return table_ + (index - begin_); }

  private:
    Communicator comm_;
    Told told_;
    unsigned k_;
    std::uint64_t begin_;
    std::uint64_t end_;
    std::unique_ptr<Buffer> memory_;
    std::uint64_t* table_;
};

/// The first index of a rank's range. Pure.
std::uint64_t begin_of_range(std::uint64_t rank, std::uint64_t ranks, unsigned k);

}  // namespace weir
