#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace weir {

/// Two of the nodes, or ranks, whose links are measured; the lower number first.
struct LinkPair {
    std::uint64_t one = 0;
    std::uint64_t other = 0;

    bool operator==(LinkPair const&) const = default;
};

/// Which pairs of `count` members are measured, in rounds of disjoint pairs: a round-robin tournament by the circle
/// method (Kirkman 1847), in which each member meets each other one once. Where that is more than `most_pairs`, a
/// random choice of its rounds: then every member is in at least `least_rounds` pairs, less one if `count` is odd, even
/// if these are more than `most_pairs`.
class LinkSchedule {
  public:
    static constexpr std::uint64_t least_rounds = 5;

    LinkSchedule(std::uint64_t count, std::uint64_t most_pairs, std::uint64_t seed);

    [[nodiscard]] std::uint64_t rounds() const { return numbers_.size(); }
    /// Of all pairs that there are.
    [[nodiscard]] std::uint64_t all_pairs() const { return count_ * (count_ - 1) / 2; }
    /// Of a round; the same for every round.
    [[nodiscard]] std::uint64_t pairs_of_round() const { return count_ / 2; }

    /// The partner of a member in a round; nothing if it has none.
    [[nodiscard]] std::optional<std::uint64_t> partner(std::uint64_t round, std::uint64_t member) const;

    /// The pairs of a round, by their first members.
    [[nodiscard]] std::vector<LinkPair> pairs(std::uint64_t round) const;

    /// The rounds in the order of one of several passes over them, so that no disturbance that recurs meets the same
    /// pair in each pass.
    [[nodiscard]] std::vector<std::uint64_t> order(std::uint64_t pass) const;

  private:
    std::uint64_t count_;
    std::uint64_t seats_;  ///< even; the last one stays empty if `count_` is odd
    std::uint64_t seed_;
    std::vector<std::uint64_t> seat_of_;
    std::vector<std::uint64_t> at_seat_;
    std::vector<std::uint64_t> numbers_;  ///< of the tournament's rounds that are played
};

}  // namespace weir
