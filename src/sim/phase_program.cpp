#include "sim/phase_program.hpp"

#include <fmt/format.h>

#include <algorithm>

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
void each_participant(Instruction const& at, std::uint64_t all, Visit visit) {
    if (at.callers != nullptr) {
        return each_rank(*at.callers, all, visit);
    }
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
        static_cast<Step::variant const&>(*at.step));
}

/// Has each rank, or each root of a group for its members, some rows of an array by a list of counts? To find the first
/// row of one takes time for each before it.
bool is_by_counts(Access const& access) {
    return access.part && !access.part->by.counts.empty() && !access.part->what.shape.empty();
}

/// The same as a list of what each has, made in one pass over the ranks that the array is divided among.
Access listed(Access access, std::uint64_t all) {
    auto const part = *access.part;
    bool const grouped = part.ranks_per_group > 0;
    auto const group = grouped ? part.ranks_per_group : 1;
    auto const row = bytes_of(part.what) / std::max<std::uint64_t>(part.what.shape.front(), 1);
    std::vector<std::vector<Piece>> lists(access.ranks.count);
    auto at = part.what.offset.value_or(0);
    for (std::uint64_t i = 0; i < (grouped ? all : lists.size()); ++i) {
        auto const bytes = rows_by_count(part.by, i) * row;
        auto const root = Rank{i / group * group};
        bool const takes_part = !grouped || access.ranks.contains(root);
        if (bytes > 0 && takes_part && (!part.member || *part.member == i % group)) {
            auto& pieces = lists[grouped ? access.ranks.index_of(root) : i];
            if (!pieces.empty() && pieces.back().offset + pieces.back().length == at) {
                pieces.back().length += bytes;
            } else {
                pieces.push_back({at, bytes});
            }
        }
        at += bytes;
    }
    access.part.reset();
    access.lists = PieceLists(lists);
    return access;
}

}  // namespace

std::uint64_t rows_by_count(Partition const& by, std::uint64_t place) {
    auto const& counts = by.counts;
    return place < counts.size() ? counts[place] : by.cycle ? counts[place % counts.size()] : 0;
}

bool is_exchange(Step const& step) {
    auto const* groups = std::get_if<InGroups>(&step);
    return std::holds_alternative<Send>(step) || std::holds_alternative<Move>(step) ||
           (groups != nullptr && groups->kind != InGroups::Kind::broadcast);
}

PhaseProgram::PhaseProgram(Pattern const& pattern, Phase const& phase, Openers& openers)
    : pattern_(pattern), phase_(phase), openers_(openers) {
    each_turn(phase.steps, [&](Step const& step, Turns const& turns) {
        add(step, turns);
        return true;
    });
}

void PhaseProgram::list_ranks() {
    auto const ranks = pattern_.ranks;
    first_.assign(ranks + 1, 0);
    for (auto const& instruction : instructions_) {
        each_participant(instruction, ranks, [&](std::uint64_t rank) { ++first_[rank + 1]; });
    }
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        first_[rank + 1] += first_[rank];
    }
    validate(first_[ranks] <= most_numbers,
             fmt::format("phase '{}' has too many steps to simulate on {} ranks", phase_.name, ranks),
             "each step of each rank takes memory", "Take fewer turns of its repeats, or fewer ranks.");
    numbers_.resize(first_[ranks]);
    auto next = first_;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
        each_participant(instructions_[i], ranks, [&](std::uint64_t rank) { numbers_[next[rank]++] = i; });
    }
}

/// All who opened its file make a collective request, some of them an empty one.
Ranks const* PhaseProgram::callers_of(Access const& access) const {
    auto const found = openers_.find(access.file);
    bool const apart = !phase_.is_collective(access) || pattern_.files[access.file].per_rank;
    if (apart || found == openers_.end() || size_of(*found->second, pattern_.ranks) <= access.ranks.count) {
        return nullptr;
    }
    return found->second;
}

void PhaseProgram::add(Step const& step, Turns const& turns) {
    Instruction made{&step};
    std::visit(
        [&](auto const& one) {
            using One = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<One, Access>) {
                bool const first = one.advance.empty() && one.file_advance.empty();
                made.access = first ? &one : &made_.emplace_back(weir::at(one, turns));
                if (is_by_counts(one)) {
                    made.access = &made_.emplace_back(listed(*made.access, pattern_.ranks));
                }
                made.file = made.access->file;
                made.callers = callers_of(*made.access);
            } else if constexpr (std::is_same_v<One, Seek>) {
                made.file = file_at(one, turns);
                made.to = one.to + static_cast<std::uint64_t>(displacement_at(one.advance, turns));
            } else if constexpr (requires { one.file_advance; }) {
                made.file = file_at(one, turns);
            }
            if constexpr (std::is_same_v<One, Open>) {
                openers_[made.file] = &one.ranks;
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
