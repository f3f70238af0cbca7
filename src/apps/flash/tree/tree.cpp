#include "apps/flash/tree/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace weir::flash {
namespace {

constexpr std::uint64_t leaf_weight = 2;    // gr_btWorkDefaultLeaf
constexpr std::uint64_t parent_weight = 1;  // gr_btWorkDefaultPar

std::vector<Key> root_keys(Triple const& roots) {
    auto const deepest = deepest_level(roots);
    auto const many = std::ranges::any_of(roots, [](auto n) { return n < 1 || n > Index{1} << key_axis_bits; }) ||
                      volume(roots) > std::numeric_limits<std::int32_t>::max();
    validate(!many, fmt::format("the root blocks cannot be {}", to_text(roots)),
             "they must be from 1 to 2^19 along each axis and less than 2^31 in all", "Ask for other root blocks.");
    std::vector<Key> keys;
    keys.reserve(static_cast<std::size_t>(volume(roots)));
    for (Index z = 0; z < roots[2]; ++z) {
        for (Index y = 0; y < roots[1]; ++y) {
            for (Index x = 0; x < roots[0]; ++x) {
                keys.push_back(key_of({0, {x, y, z}}, deepest));
            }
        }
    }
    std::ranges::sort(keys);
    return keys;
}

std::int32_t number(std::optional<std::size_t> b) { return b ? static_cast<std::int32_t>(*b) + 1 : no_relative; }

}  // namespace

Tree::Tree(Triple const& roots, Boundaries const& boundaries) : Tree(roots, boundaries, root_keys(roots)) {}

Tree::Tree(Triple const& roots, Boundaries const& boundaries, std::vector<Key> keys)
    : roots_(roots), boundaries_(boundaries), deepest_(deepest_level(roots)), keys_(std::move(keys)) {
    validate(size() <= std::numeric_limits<std::int32_t>::max(), fmt::format("the tree has {} blocks", size()),
             "FLASH's files number blocks by 4-byte integers", "Allow fewer levels.");
}

int Tree::levels() const {
    auto finest = 0;
    for (auto const key : keys_) {
        finest = std::max(finest, level_of(key));
    }
    return finest + 1;
}

double Tree::edge(std::size_t b) const { return 1 / static_cast<double>(roots_[0] << level(b)); }

Corner Tree::corner(std::size_t b, Index ends) const {
    auto const [level, at] = position(b);
    auto const along_x = static_cast<double>(roots_[0] << level);
    Corner corner{};
    for (std::size_t axis = 0; axis < axes; ++axis) {
        corner[axis] = static_cast<double>(at[axis] + ends) / along_x;
    }
    return corner;
}

std::optional<std::size_t> Tree::find_key(Key key) const {
    auto const at = std::ranges::lower_bound(keys_, key);
    return at != keys_.end() && *at == key ? std::optional(static_cast<std::size_t>(at - keys_.begin())) : std::nullopt;
}

std::optional<std::size_t> Tree::find(Position const& p) const {
    return is_within(p, roots_) ? find_key(key_of(p, deepest_)) : std::nullopt;
}

std::optional<std::size_t> Tree::parent(std::size_t b) const {
    return level(b) > 0 ? find_key(key_of(parent_of(position(b)), deepest_)) : std::nullopt;
}

std::optional<std::size_t> Tree::child(std::size_t b, int k) const {
    return is_leaf(b) ? std::nullopt : find_key(key_of(child_of(position(b), k), deepest_));
}

Beside Tree::beside(Position const& p, Direction const& direction) const {
    auto const along = blocks_along(roots_, p.level);
    Beside found{p, {}};
    for (std::size_t axis = 0; axis < axes; ++axis) {
        auto const over = p.at[axis] + direction[axis] < 0 || p.at[axis] + direction[axis] >= along[axis];
        found.beyond[axis] = over && boundaries_[axis] != Boundary::periodic;
        found.at->at[axis] += direction[axis] - (over ? direction[axis] * along[axis] : 0);
    }
    if (std::ranges::find(found.beyond, true) != found.beyond.end()) {
        found.at.reset();
    }
    return found;
}

Neighbour Tree::neighbour(std::size_t b, Direction const& direction) const {
    auto const [place, beyond] = beside(position(b), direction);
    if (!place) {
        return {Neighbour::Relation::outside, 0, beyond};
    }
    if (auto const same = find_key(key_of(*place, deepest_))) {
        return {Neighbour::Relation::same, *same, beyond};
    }
    return {Neighbour::Relation::coarser, find_key(key_of(parent_of(*place), deepest_)).value(), beyond};
}

int Tree::node_type(std::size_t b) const {
    if (is_leaf(b)) {
        return 1;
    }
    for (auto k = 0; k < children; ++k) {
        if (is_leaf(*child(b, k))) {
            return 2;
        }
    }
    return 3;
}

int Tree::which_child(std::size_t b) const {
    auto const [level, at] = position(b);
    return level == 0 ? -1 : static_cast<int>(1 + at[0] % 2 + at[1] % 2 * 2 + at[2] % 2 * 4);
}

/// Beyond several boundaries, of the first axis with one.
std::int32_t Tree::relative_at(std::size_t b, Direction const& direction) const {
    auto const beside = neighbour(b, direction);
    if (beside.kind == Neighbour::Relation::same) {
        return number(beside.block);
    }
    for (std::size_t axis = 0; axis < axes && beside.kind == Neighbour::Relation::outside; ++axis) {
        if (beside.beyond[axis]) {
            return boundaries_[axis] == Boundary::outflow ? beyond_outflow : beyond_reflecting;
        }
    }
    return no_relative;
}

Surrounding Tree::surrounding(std::size_t b) const {
    Surrounding list{};
    std::size_t at = 0;
    for (auto const z : {-1, 0, 1}) {
        for (auto const y : {-1, 0, 1}) {
            for (auto const x : {-1, 0, 1}) {
                auto const there = relative_at(b, {x, y, z});
                list[at++] = {there, there > 0 ? node_type(static_cast<std::size_t>(there - 1)) : no_relative};
            }
        }
    }
    return list;
}

Relatives Tree::gid(std::size_t b) const {
    Relatives list{};
    std::size_t at = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        for (auto const side : {-1, 1}) {
            Direction direction{};
            direction[axis] = side;
            list[at++] = relative_at(b, direction);
        }
    }
    list[at++] = number(parent(b));
    for (auto k = 0; k < children; ++k) {
        list[at++] = number(child(b, k));
    }
    return list;
}

std::vector<std::uint64_t> Tree::counts(std::uint64_t ranks) const {
    expect(ranks > 0, "ranks to hold the blocks");
    auto const weight = [&](std::size_t b) { return is_leaf(b) ? leaf_weight : parent_weight; };
    std::uint64_t total = 0;
    for (std::size_t b = 0; b < size(); ++b) {
        total += weight(b);
    }
    std::vector<std::uint64_t> counts(ranks);
    std::uint64_t before = 0;
    for (std::size_t b = 0; b < size(); ++b) {
        before += weight(b);
        ++counts[(before - 1) * ranks / total];
    }
    return counts;
}

}  // namespace weir::flash
