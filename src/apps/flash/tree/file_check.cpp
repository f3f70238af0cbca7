#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "apps/flash/tree/tree.hpp"
#include "core/error.hpp"

namespace weir::flash {
namespace {

[[noreturn]] void refuse(std::string const& origin, std::string reason) {
    throw Error({fmt::format("{} does not hold a tree of blocks", origin), std::move(reason),
                 "It is damaged, or of a run with other root blocks or boundaries. Use another one.", ExitCode::usage});
}

std::string place(Position const& p) {
    return fmt::format("refine level {}, place {},{},{}", p.level + 1, p.at[0], p.at[1], p.at[2]);
}

/// A block by the number that a file gives it, from 1.
struct Listed {
    Key key;
    std::size_t number;
};

std::vector<Listed> sorted(Triple const& roots, std::span<Position const> blocks, std::string const& origin) {
    auto const deepest = deepest_level(roots);
    std::vector<Listed> listed;
    listed.reserve(blocks.size());
    for (auto const& p : blocks) {
        if (!is_within(p, roots)) {
            refuse(origin, fmt::format("block {} ({}) is outside of {} root blocks with up to {} levels",
                                       listed.size() + 1, place(p), to_text(roots), deepest + 1));
        }
        listed.push_back({key_of(p, deepest), listed.size() + 1});
    }
    std::ranges::stable_sort(listed, {}, &Listed::key);
    auto const twice = std::ranges::adjacent_find(listed, {}, &Listed::key);
    if (twice != listed.end()) {
        refuse(origin, fmt::format("blocks {} and {} are the same ({})", twice->number, std::next(twice)->number,
                                   place(position_of(twice->key, deepest))));
    }
    return listed;
}

/// Why block b cannot be there; empty if it can. `tree` need not be balanced or complete.
std::string missing_beside(Tree const& tree, std::size_t b) {
    auto const p = tree.position(b);
    if (p.level > 0 && !tree.parent(b)) {
        return "its parent is missing";
    }
    if (tree.is_leaf(b)) {
        return {};
    }
    auto present = 0;
    auto missing = 0;  // the first, from 1
    for (auto k = children; k > 0; --k) {
        auto const there = tree.find(child_of(p, k - 1)).has_value();
        present += there ? 1 : 0;
        missing = there ? missing : k;
    }
    if (present == 0) {  // what is below it is not of a family, and is refused itself
        return {};
    }
    if (missing > 0) {
        return fmt::format("its child {} is missing, but not all of them", missing);
    }
    for (auto i = 0; i < 27; ++i) {
        auto const beside = tree.beside(p, {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1}).at;
        if (beside && !tree.find(*beside)) {
            return fmt::format("its children are two levels finer than what is next to it (at {})", place(*beside));
        }
    }
    return {};
}

std::string_view relative(std::size_t i) {
    constexpr std::array<std::string_view, relatives> names{
        "neighbour at -x", "neighbour at +x", "neighbour at -y", "neighbour at +y", "neighbour at -z",
        "neighbour at +z", "parent",          "child 1",         "child 2",         "child 3",
        "child 4",         "child 5",         "child 6",         "child 7",         "child 8"};
    return names[i];
}

}  // namespace

Tree Tree::of(Triple const& roots, Boundaries const& boundaries, std::span<Position const> blocks,
              std::string const& origin) {
    Tree const only_roots(roots, boundaries);
    auto const listed = sorted(roots, blocks, origin);
    std::vector<Key> keys(listed.size());
    std::ranges::transform(listed, keys.begin(), &Listed::key);
    Tree tree(roots, boundaries, std::move(keys));
    for (std::size_t b = 0; b < only_roots.size(); ++b) {
        if (auto const p = only_roots.position(b); !tree.find(p)) {
            refuse(origin, fmt::format("the root block at {},{},{} is missing", p.at[0], p.at[1], p.at[2]));
        }
    }
    for (std::size_t b = 0; b < tree.size(); ++b) {
        if (auto const reason = missing_beside(tree, b); !reason.empty()) {
            refuse(origin,
                   fmt::format("block {} ({}) cannot be there: {}", listed[b].number, place(tree.position(b)), reason));
        }
    }
    return tree;
}

void check_neighbours(Tree const& tree, std::span<std::int32_t const> gids, std::string const& file) {
    validate(gids.size() == relatives * tree.size(), fmt::format("the neighbour lists of {} are wrong", file),
             fmt::format("they have {} numbers, not {} for each of {} blocks", gids.size(), relatives, tree.size()),
             "The file is damaged: use another one.");
    for (std::size_t b = 0; b < tree.size(); ++b) {
        auto const right = tree.gid(b);
        auto const [wrong, wanted] = std::ranges::mismatch(gids.subspan(b * relatives, relatives), right);
        if (wanted != right.end()) {
            validate(false, fmt::format("the neighbour list of block {} in {} is wrong", b + 1, file),
                     fmt::format("its {} is {}, but by the places of the blocks it is {}",
                                 relative(static_cast<std::size_t>(wanted - right.begin())), *wrong, *wanted),
                     "The file is damaged, or of a run with other boundaries: use another one.");
        }
    }
}

}  // namespace weir::flash
