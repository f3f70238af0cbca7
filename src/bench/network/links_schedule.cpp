#include "bench/network/links_schedule.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "core/seed_of_sequence.hpp"

namespace weir {

LinkSchedule::LinkSchedule(std::uint64_t count, std::uint64_t most_pairs, std::uint64_t seed)
    : count_(count), seats_(count + count % 2), seed_(seed), seat_of_(count), at_seat_(seats_, count) {
    Shuffle const seats(count, seed_of_sequence(seed, 0));
    for (std::uint64_t member = 0; member < count; ++member) {
        seat_of_[member] = seats(member);
        at_seat_[seat_of_[member]] = member;
    }
    auto const all = seats_ - 1;
    auto const wanted = std::max(least_rounds, most_pairs / pairs_of_round());
    Shuffle const rounds(all, seed_of_sequence(seed, 1));
    for (std::uint64_t i = 0; i < std::min(all, wanted); ++i) {
        numbers_.push_back(rounds(i));
    }
}

/// Seats whose numbers add up to the round's meet, modulo the number of rounds; whoever would meet itself meets the
/// last seat.
std::optional<std::uint64_t> LinkSchedule::partner(std::uint64_t round, std::uint64_t member) const {
    auto const rounds = seats_ - 1;
    auto const number = numbers_[round];
    auto const seat = seat_of_[member];
    auto const half = number % 2 == 0 ? number / 2 : (number + rounds) / 2;
    auto const facing = seat == rounds ? half : (number + rounds - seat) % rounds;
    auto const found = at_seat_[facing == seat ? rounds : facing];
    return found < count_ ? std::optional(found) : std::nullopt;
}

std::vector<LinkPair> LinkSchedule::pairs(std::uint64_t round) const {
    std::vector<LinkPair> found;
    for (std::uint64_t member = 0; member < count_; ++member) {
        auto const other = partner(round, member);
        if (other && *other > member) {
            found.push_back({member, *other});
        }
    }
    return found;
}

std::vector<std::uint64_t> LinkSchedule::order(std::uint64_t pass) const {
    Shuffle const places(rounds(), seed_of_sequence(seed_, 2 + pass));
    std::vector<std::uint64_t> order(rounds());
    for (std::uint64_t i = 0; i < rounds(); ++i) {
        order[i] = places(i);
    }
    return order;
}

}  // namespace weir
