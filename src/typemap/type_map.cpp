#include "typemap/type_map.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace weir {
namespace {

std::int64_t signed_of(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

/// Divides, rounding down; `by` is greater than 0.
std::int64_t floor_div(std::int64_t number, std::int64_t by) {
    auto const quotient = number / by;
    return number % by < 0 ? quotient - 1 : quotient;
}

}  // namespace

TypeMap::TypeMap() : TypeMap(Node{}) {}

TypeMap::TypeMap(Node node) : node_(std::make_shared<Node const>(std::move(node))) {}

TypeMap TypeMap::bytes(std::uint64_t count) {
    Node node;
    node.size = count;
    node.end = signed_of(count);
    node.pieces = count > 0 ? 1 : 0;
    node.memory = sizeof(Node);
    return TypeMap(std::move(node));
}

TypeMap TypeMap::repeat(TypeMap const& part, std::uint64_t count, std::int64_t stride, std::int64_t at) {
    auto const& child = *part.node_;
    if (count == 0 || child.size == 0) {
        return {};
    }
    stride = count == 1 ? 0 : stride;
    bool const solid = std::holds_alternative<Solid>(child.shape);
    if (solid && at == 0 && (count == 1 || stride == signed_of(child.size))) {
        return bytes(count * child.size);
    }
    if (solid && count > 1 && stride == signed_of(child.size)) {
        return repeat(bytes(count * child.size), 1, 0, at);
    }
    if (count == 1 && at == 0) {
        return part;
    }
    if (auto const* const inner = std::get_if<Repeat>(&child.shape)) {
        bool const goes_on = inner->count == 1 || stride == signed_of(inner->count) * inner->stride;
        if (count == 1 || goes_on) {
            auto const step = inner->count == 1 ? stride : inner->stride;
            return repeat(TypeMap(inner->part), count * inner->count, step, at + inner->at);
        }
    }
    Node node;
    auto const last = signed_of(count - 1) * stride;
    node.size = count * child.size;
    node.begin = at + child.begin + std::min<std::int64_t>(0, last);
    node.end = at + child.end + std::max<std::int64_t>(0, last);
    node.pieces = count * child.pieces;
    node.memory = sizeof(Node) + child.memory;
    node.increases = child.increases && (count == 1 || stride >= child.end - child.begin);
    node.shape = Repeat{part.node_, count, stride, at};
    return TypeMap(std::move(node));
}

TypeMap TypeMap::list(std::vector<Placed> parts) {
    std::erase_if(parts, [](Placed const& placed) { return placed.part.size() == 0; });
    if (parts.empty()) {
        return {};
    }
    if (parts.size() == 1) {
        return repeat(parts.front().part, 1, 0, parts.front().at);
    }
    if (std::ranges::all_of(parts, [](Placed const& placed) { return placed.part.contiguous(); })) {
        std::vector<Run> all;
        all.reserve(parts.size());
        for (auto const& [at, part] : parts) {
            all.push_back({at + part.begin(), part.size()});
        }
        return runs(all);
    }
    return of_parts(parts);
}

TypeMap TypeMap::runs(std::vector<Run> const& all) {
    Node node;
    Pieces pieces;
    pieces.all.reserve(all.size());
    std::int64_t behind = 0;  // the last run
    for (auto const& run : all) {
        if (run.bytes == 0) {
            continue;
        }
        bool const first = pieces.all.empty();
        node.increases = node.increases && (first || run.at >= behind);
        if (first || run.at != behind) {
            pieces.all.push_back({run.at, node.size});
        }
        behind = run.at + signed_of(run.bytes);
        node.begin = first ? run.at : std::min(node.begin, run.at);
        node.end = first ? behind : std::max(node.end, behind);
        node.size += run.bytes;
    }
    if (pieces.all.size() <= 1) {
        return repeat(bytes(node.size), 1, 0, node.begin);
    }
    pieces.all.shrink_to_fit();
    node.pieces = pieces.all.size();
    node.memory = sizeof(Node) + pieces.all.size() * sizeof(Piece);
    node.shape = std::move(pieces);
    return TypeMap(std::move(node));
}

TypeMap TypeMap::of_parts(std::vector<Placed> const& parts) {
    Node node;
    Parts all;
    node.begin = parts.front().at + parts.front().part.begin();
    node.end = node.begin;
    node.memory = sizeof(Node) + parts.size() * (sizeof(Piece) + sizeof(Tree));
    std::int64_t behind = node.begin;
    for (auto const& [at, part] : parts) {
        auto const& child = *part.node_;
        node.increases = node.increases && child.increases && at + child.begin >= behind;
        behind = at + child.end;
        all.all.push_back({at, node.size});
        all.part.push_back(part.node_);
        node.size += child.size;
        node.begin = std::min(node.begin, at + child.begin);
        node.end = std::max(node.end, behind);
        node.pieces += child.pieces;
        node.memory += child.memory;
    }
    node.shape = std::move(all);
    return TypeMap(std::move(node));
}

std::uint64_t TypeMap::end_of(Node const& node, std::vector<Piece> const& all, std::size_t i) {
    return i + 1 < all.size() ? all[i + 1].before : node.size;
}

/// The piece that this data byte is in.
std::size_t TypeMap::index_of(std::vector<Piece> const& all, std::uint64_t byte) {
    auto const behind = std::ranges::upper_bound(all, byte, {}, &Piece::before);
    return static_cast<std::size_t>(behind - all.begin()) - 1;
}

std::uint64_t TypeMap::before(Node const& node, std::int64_t displacement) {
    if (displacement <= node.begin) {
        return 0;
    }
    if (displacement >= node.end) {
        return node.size;
    }
    if (std::holds_alternative<Solid>(node.shape)) {
        return static_cast<std::uint64_t>(displacement - node.begin);
    }
    if (auto const* const repeat = std::get_if<Repeat>(&node.shape)) {
        return before(*repeat, displacement);
    }
    auto const* const pieces = std::get_if<Pieces>(&node.shape);
    auto const* const parts = std::get_if<Parts>(&node.shape);
    auto const& all = pieces != nullptr ? pieces->all : parts->all;
    auto const begins = [&](std::size_t i) { return all[i].at + (parts != nullptr ? parts->part[i]->begin : 0); };
    std::size_t low = 0;  // begins before the displacement
    for (auto high = all.size(); high - low > 1;) {
        auto const middle = low + (high - low) / 2;
        (begins(middle) < displacement ? low : high) = middle;
    }
    auto const within = displacement - all[low].at;
    if (parts != nullptr) {
        return all[low].before + before(*parts->part[low], within);
    }
    return all[low].before + std::min(static_cast<std::uint64_t>(within), end_of(node, all, low) - all[low].before);
}

std::uint64_t TypeMap::before(Repeat const& repeat, std::int64_t displacement) {
    auto const& part = *repeat.part;
    auto const from_first = displacement - repeat.at;
    if (repeat.count == 1) {
        return before(part, from_first);
    }
    auto const i =
        std::clamp<std::int64_t>(floor_div(from_first - part.begin, repeat.stride), 0, signed_of(repeat.count - 1));
    return static_cast<std::uint64_t>(i) * part.size + before(part, from_first - i * repeat.stride);
}

std::int64_t TypeMap::displacement_of(std::uint64_t byte) const {
    expect(byte < size(), "the type map has this byte");
    std::int64_t found = 0;
    each(byte, byte + 1, [&](std::int64_t displacement, std::uint64_t) { found = displacement; });
    return found;
}

}  // namespace weir
