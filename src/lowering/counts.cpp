// Operations that a program with this pattern would count besides requests.

#include "lowering/lowering.hpp"
#include "pattern/file_pointers.hpp"
#include "pattern/loops.hpp"
#include "pattern/operations.hpp"

namespace weir {
namespace {

/// Counts one rank's seeks.
class Seeks {
  public:
    Seeks(Pattern const& pattern, Rank rank) : pattern_(pattern), rank_(rank) {}

    std::uint64_t count() {
        for (auto const& phase : pattern_.phases) {
            auto const acting = acting_rank(phase.reorder, rank_, pattern_.ranks);
            each_turn(phase.steps, [&](Step const& step, Turns const& turns) {
                std::visit([&](auto const& one) { make(one, turns, acting); }, step);
                return true;
            });
        }
        return seeks_;
    }

  private:
    template <class Other>
    void make(Other const&, Turns const&, Rank) {}
    void make(Open const& open, Turns const& turns, Rank acting) {
        if (contains(open.ranks, acting)) {
            pointers_.open(file_at(open, turns));
        }
    }
    void make(Seek const& seek, Turns const& turns, Rank acting) {
        if (contains(seek.ranks, acting)) {
            ++seeks_;
            pointers_.seek(file_at(seek, turns),
                           seek.to + static_cast<std::uint64_t>(displacement_at(seek.advance, turns)));
        }
    }
    void make(Access const& access, Turns const& turns, Rank acting) {
        if (!access.seeks) {
            return;
        }
        auto const now = at(access, turns);
        Operations operations(now, acting);
        for (Operation operation; operations.next(operation);) {
            seeks_ += pointers_.seeks_before(now.file, operation.offset, operation.length) ? 1 : 0;
        }
    }

    Pattern const& pattern_;
    Rank rank_;
    std::uint64_t seeks_ = 0;
    FilePointers pointers_;
};

}  // namespace

std::uint64_t seeks(Pattern const& pattern) {
    std::uint64_t sum = 0;
    for (std::uint64_t rank = 0; rank < pattern.ranks; ++rank) {
        sum += seeks(pattern, Rank{rank});
    }
    return sum;
}

std::uint64_t seeks(Pattern const& pattern, Rank rank) { return Seeks(pattern, rank).count(); }

namespace {

/// Pairs of ranks that exchange a message; by ranks.
std::uint64_t pairs(Move const& move, std::uint64_t ranks) {
    std::uint64_t sum = 0;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        for (auto const& other : in_common(move.what, move.by_from, rank, move.by_to, ranks)) {
            sum += other.rank != rank ? 1 : 0;
        }
    }
    return sum;
}

/// Sends and receives of all ranks; a broadcast is one of each.
std::uint64_t ends(InGroups const& messages, std::uint64_t ranks) {
    if (messages.kind == InGroups::Kind::broadcast) {
        auto const last = ranks % messages.ranks_per_group;
        return messages.ranks_per_group == 1 ? 0 : last == 1 ? ranks - 1 : ranks;
    }
    std::uint64_t sum = 0;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        auto const is_root = rank % messages.ranks_per_group == 0;
        sum += !is_root && messages.bytes_of(Rank{rank}, ranks) > 0 ? 2 : 0;
    }
    return sum;
}

}  // namespace

std::uint64_t messages(Pattern const& pattern) {
    std::uint64_t sum = 0;
    for (auto const& phase : pattern.phases) {
        each_step(phase.steps, [&](Step const& step, Loops const& loops) {
            if (auto const* send = std::get_if<Send>(&step)) {
                sum += 2 * send->from.count * times(loops);
            } else if (auto const* move = std::get_if<Move>(&step)) {
                sum += 2 * pairs(*move, pattern.ranks) * times(loops);
            } else if (auto const* in_groups = std::get_if<InGroups>(&step)) {
                sum += ends(*in_groups, pattern.ranks) * times(loops);
            } else if (auto const* broadcast = std::get_if<Broadcast>(&step)) {
                sum += size_of(broadcast->ranks, pattern.ranks) * times(loops);
            }
        });
    }
    return sum;
}

}  // namespace weir
