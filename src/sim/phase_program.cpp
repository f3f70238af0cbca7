#include "sim/phase_program.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace weir::sim {
namespace {

constexpr std::uint64_t most_numbers = std::uint64_t{1} << 31;

template <class Visit>
void each_rank(RankSet const& set, Visit visit) {
    for (std::uint64_t i = 0; i < set.count; ++i) {
        visit(set.first + i * set.step);
    }
}

template <class Visit>
void each_rank(Ranks const& ranks, std::uint64_t all, Visit visit) {
    if (ranks.empty()) {
        each_rank(RankSet{0, all, 1}, visit);
    }
    for (auto const& set : ranks) {
        each_rank(set, visit);
    }
}

/// Visits the acting ranks that take part in a step.
template <class Visit>
void each_participant(Step const& step, std::uint64_t all, Visit visit) {
    std::visit(
        [&](auto const& one) {
            using One = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<One, Access>) {
                each_rank(one.ranks, visit);
            } else if constexpr (std::is_same_v<One, Send>) {
                each_rank(one.from, visit);
                each_rank(one.to, [&](std::uint64_t rank) {
                    if (!one.from.contains(Rank{rank})) {
                        visit(rank);
                    }
                });
            } else if constexpr (requires { one.ranks; }) {
                each_rank(one.ranks, all, visit);
            } else {
                each_rank(RankSet{0, all, 1}, visit);
            }
        },
        static_cast<Step::variant const&>(step));
}

}  // namespace

bool is_exchange(Step const& step) {
    auto const* groups = std::get_if<InGroups>(&step);
    return std::holds_alternative<Send>(step) || std::holds_alternative<Move>(step) ||
           (groups != nullptr && groups->kind != InGroups::Kind::broadcast);
}

PhaseProgram::PhaseProgram(Pattern const& pattern, Phase const& phase) {
    auto const ranks = pattern.ranks;
    each_turn(phase.steps, [&](Step const& step, Turns const& turns) {
        add(step, turns);
        validate(instructions_.size() <= most_numbers / ranks,
                 fmt::format("phase '{}' has too many steps to simulate on {} ranks", phase.name, ranks),
                 "each step of each rank takes memory", "Take fewer turns of its repeats, or fewer ranks.");
        return true;
    });
    first_.assign(ranks + 1, 0);
    for (auto const& instruction : instructions_) {
        each_participant(*instruction.step, ranks, [&](std::uint64_t rank) { ++first_[rank + 1]; });
    }
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        first_[rank + 1] += first_[rank];
    }
    numbers_.resize(first_[ranks]);
    auto next = first_;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
        each_participant(*instructions_[i].step, ranks, [&](std::uint64_t rank) { numbers_[next[rank]++] = i; });
    }
}

void PhaseProgram::add(Step const& step, Turns const& turns) {
    Instruction made{&step};
    std::visit(
        [&](auto const& one) {
            using One = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<One, Access>) {
                bool const first = one.advance.empty() && one.file_advance.empty();
                made.access = first ? &one : &displaced_.emplace_back(weir::at(one, turns));
                made.file = made.access->file;
            } else if constexpr (std::is_same_v<One, Seek>) {
                made.file = file_at(one, turns);
                made.to = one.to + static_cast<std::uint64_t>(displacement_at(one.advance, turns));
            } else if constexpr (requires { one.file_advance; }) {
                made.file = file_at(one, turns);
            }
            if constexpr (std::is_same_v<One, Rename>) {
                made.to = target_at(one, turns);
            }
        },
        static_cast<Step::variant const&>(step));
    bool const messages = is_exchange(step);
    exchanges_ += messages && !exchanging_ ? 1 : 0;
    exchanging_ = messages;
    made.exchange = messages ? exchanges_ - 1 : 0;
    instructions_.push_back(made);
}

}  // namespace weir::sim
