// How long a rank takes to build a tree of 100,000 blocks, alone and as one of 8 on this machine, and what it keeps.

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>

#include "apps/flash/tree/tree.hpp"
#include "core/error.hpp"
#include "lists/counted_memory.hpp"
#include "performance/measure.hpp"

using namespace weir;
using namespace weir::flash;

namespace {

constexpr int levels = 8;
constexpr int ranks = 8;
constexpr int repetitions = 11;

/// Whether the front of a blast passes through a block.
bool front_in(Tree const& tree, std::size_t b) {
    constexpr Corner centre{0.45, 0.5, 0.55};
    constexpr auto radius = 0.36;
    double nearest = 0;
    double farthest = 0;
    auto const low = tree.lower_corner(b);
    auto const high = tree.upper_corner(b);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        auto const to_low = low[axis] - centre[axis];
        auto const to_high = high[axis] - centre[axis];
        nearest += std::pow(std::max({to_low, -to_high, 0.0}), 2);
        farthest += std::pow(std::max(-to_low, to_high), 2);
    }
    return nearest <= radius * radius && radius * radius <= farthest;
}

/// From the root block, level by level.
Tree blast() {
    Tree tree({1, 1, 1}, {Boundary::outflow, Boundary::reflecting, Boundary::periodic});
    for (auto level = 1; level < levels; ++level) {
        std::vector<Mark> marks(tree.size());
        for (std::size_t b = 0; b < tree.size(); ++b) {
            marks[b] = front_in(tree, b) ? Mark::refine : Mark::keep;
        }
        tree = tree.adapted(marks, levels);
    }
    return tree;
}

/// On so many processes at once, until the last is done.
void on_each_of(int processes, auto work) {
    for (auto i = 0; i < processes; ++i) {
        auto const child = fork();
        expect(child >= 0, "a process for each rank");
        if (child == 0) {
            work();
            _exit(0);
        }
    }
    for (auto i = 0; i < processes; ++i) {
        auto status = 0;
        expect(wait(&status) > 0 && status == 0, "every rank succeeds");
    }
}

bool lasts(std::string const& what, int processes, double goal_s, auto work) {
    auto const time =
        performance::median_of(repetitions, [&] { return performance::seconds([&] { on_each_of(processes, work); }); });
    return performance::report(fmt::format("flash tree, {}, {} at once", what, processes), time, "s", goal_s,
                               performance::Better::lower);
}

}  // namespace

int main() {
    performance::forget_most();
    auto const before = performance::held_bytes();
    auto const tree = blast();
    auto const blocks = static_cast<double>(tree.size());
    auto const per_block = [&](std::uint64_t bytes) { return static_cast<double>(bytes - before) / blocks; };
    fmt::print("{} blocks on {} levels: {:.1f} bytes a block, {:.1f} while it was built\n", tree.size(), tree.levels(),
               per_block(performance::held_bytes()), per_block(performance::most_held_bytes()));
    auto met = tree.size() >= 100'000 && per_block(performance::most_held_bytes()) < 200;

    std::vector<Position> places(tree.size());
    std::vector<std::int32_t> gids;
    for (std::size_t b = 0; b < tree.size(); ++b) {
        places[b] = tree.position(b);
        auto const list = tree.gid(b);
        gids.insert(gids.end(), list.begin(), list.end());
    }
    auto const from_file = [&] { Tree::of(tree.roots(), tree.boundaries(), places); };
    auto const with_lists = [&] { check_neighbours(tree, gids, "the benchmark"); };
    met = lasts("level by level", 1, 0.3, blast) && met;
    met = lasts("level by level", ranks, 2, blast) && met;
    met = lasts("from a file's blocks", 1, 0.3, from_file) && met;
    met = lasts("from a file's blocks", ranks, 2, from_file) && met;
    met = lasts("all neighbour lists", 1, 0.3, with_lists) && met;
    met = lasts("all neighbour lists", ranks, 2, with_lists) && met;
    return met ? 0 : 1;
}
