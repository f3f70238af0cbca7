#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "pattern/phase.hpp"

namespace weir {

/// The counts of the repeats around a step, outermost first.
using Loops = std::vector<std::uint64_t>;

/// The current iteration (from 0) of each of them.
using Turns = std::vector<std::uint64_t>;

/// The deepest nesting of repeats.
inline constexpr std::size_t deepest_repeat = 8;

/// How often a step runs: the product of the counts.
std::uint64_t times(Loops const&);

/// The displacement of a step at these iterations; `advance` may be empty.
inline std::int64_t displacement_at(std::vector<std::int64_t> const& advance, Turns const& turns) {
    std::int64_t sum = 0;
    for (std::size_t level = 0; level < advance.size(); ++level) {
        sum += static_cast<std::int64_t>(turns[level]) * advance[level];
    }
    return sum;
}

/// The index of a step's file at these iterations.
template <class OnFile>
std::uint64_t file_at(OnFile const& step, Turns const& turns) {
    return step.file + static_cast<std::uint64_t>(displacement_at(step.file_advance, turns));
}

/// The index of the file that a rename replaces.
inline std::uint64_t target_at(Rename const& rename, Turns const& turns) {
    return rename.to + static_cast<std::uint64_t>(displacement_at(rename.to_advance, turns));
}

/// Sets `now`, a copy of `access`, to these iterations: its file and its offsets.
void move_to(Access& now, Access const& access, Turns const& turns);

/// The access at these iterations.
Access at(Access const&, Turns const&);

/// The files that a step uses over all iterations and, for each, the greatest displacement there by `advance`. Time
/// grows with the number of files, not of iterations.
std::map<std::uint64_t, std::int64_t> files_reached(std::uint64_t file, std::vector<std::int64_t> const& file_advance,
                                                    std::vector<std::int64_t> const& advance, Loops const&);

/// Visits each step except repeats once, in the order written: visit(step, loops).
template <class Visit>
void each_step(std::vector<Step> const& steps, Visit&& visit, Loops& loops) {
    for (auto const& step : steps) {
        if (auto const* repeat = std::get_if<Repeat>(&step)) {
            loops.push_back(repeat->count);
            each_step(repeat->steps, visit, loops);
            loops.pop_back();
        } else {
            visit(step, static_cast<Loops const&>(loops));
        }
    }
}

template <class Visit>
void each_step(std::vector<Step> const& steps, Visit&& visit) {
    Loops loops;
    each_step(steps, visit, loops);
}

/// The same for accesses only: visit(access, loops).
template <class Visit>
void each_access(std::vector<Step> const& steps, Visit&& visit) {
    each_step(steps, [&](Step const& step, Loops const& loops) {
        if (auto const* access = std::get_if<Access>(&step)) {
            visit(*access, loops);
        }
    });
}

/// Visits the steps in execution order, each as often as it runs: visit(step, turns), until that returns false.
template <class Visit>
bool each_turn(std::vector<Step> const& steps, Visit&& visit, Turns& turns) {
    for (auto const& step : steps) {
        if (auto const* repeat = std::get_if<Repeat>(&step)) {
            turns.push_back(0);
            for (; turns.back() < repeat->count; ++turns.back()) {
                if (!each_turn(repeat->steps, visit, turns)) {
                    return false;
                }
            }
            turns.pop_back();
        } else if (!visit(step, static_cast<Turns const&>(turns))) {
            return false;
        }
    }
    return true;
}

template <class Visit>
bool each_turn(std::vector<Step> const& steps, Visit&& visit) {
    Turns turns;
    return each_turn(steps, visit, turns);
}

}  // namespace weir
