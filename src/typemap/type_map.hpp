#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace weir {

/// Where the bytes of an MPI datatype lie, in the order in which MPI moves them: its type map (MPI 3.1, section 4.1),
/// as a tree that stays as small as the construction of the type. Displacements are in bytes and may be negative; data
/// bytes are counted from 0 in the order of the map. Immutable; parts are shared. No member is collective.
class TypeMap {
  public:
    /// No bytes.
    TypeMap();

    /// This many contiguous bytes from displacement 0 on.
    static TypeMap bytes(std::uint64_t count);

    /// `part` `count` times, `stride` bytes apart, the first at displacement `at`.
    static TypeMap repeat(TypeMap const& part, std::uint64_t count, std::int64_t stride, std::int64_t at = 0);

    struct Run {
        std::int64_t at;  ///< displacement of the first byte
        std::uint64_t bytes;
    };
    /// Contiguous pieces in this order. Runs without bytes are left out.
    static TypeMap runs(std::vector<Run> const& all);

    struct Placed;
    /// Parts one after the other in the order of the list, wherever they lie.
    static TypeMap list(std::vector<Placed> parts);

    [[nodiscard]] std::uint64_t size() const { return node_->size; }   ///< data bytes
    [[nodiscard]] std::int64_t begin() const { return node_->begin; }  ///< the least displacement; 0 without bytes
    [[nodiscard]] std::int64_t end() const { return node_->end; }      ///< behind the greatest one

    /// Contiguous pieces; at most as many, since neighbours of different parts may touch.
    [[nodiscard]] std::uint64_t pieces() const { return node_->pieces; }

    /// One contiguous piece, in order.
    [[nodiscard]] bool contiguous() const { return pieces() <= 1; }

    /// Displacements increase all along the map, so that no byte lies in it twice: it may be that of a file view.
    [[nodiscard]] bool increases() const { return node_->increases; }

    /// visit(displacement, bytes) for each contiguous piece of the data bytes [from, to), in order. Pieces that touch
    /// may come as two.
    template <class Visit>
    void each(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        if (from < to) {
            each_of(*node_, 0, from, to, visit);
        }
    }

    /// The number of data bytes whose displacement is less than this one. Only where it increases.
    [[nodiscard]] std::uint64_t bytes_before(std::int64_t displacement) const { return before(*node_, displacement); }

    /// The displacement of a data byte, which must be less than size().
    [[nodiscard]] std::int64_t displacement_of(std::uint64_t byte) const;

    /// Bytes of memory that the tree takes, shared parts once a place.
    [[nodiscard]] std::uint64_t memory_bytes() const { return node_->memory; }

  private:
    struct Node;
    using Tree = std::shared_ptr<Node const>;

    struct Piece {
        std::int64_t at;
        std::uint64_t before;  ///< data bytes of earlier ones
    };
    /// Contiguous bytes.
    struct Solid {};
    struct Repeat {
        Tree part;
        std::uint64_t count;
        std::int64_t stride;
        std::int64_t at;
    };
    /// Contiguous pieces of any length.
    struct Pieces {
        std::vector<Piece> all;
    };
    struct Parts {
        std::vector<Piece> all;
        std::vector<Tree> part;
    };
    struct Node {
        std::uint64_t size = 0;
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::uint64_t pieces = 0;
        std::uint64_t memory = 0;
        bool increases = true;
        std::variant<Solid, Repeat, Pieces, Parts> shape{};
    };

    explicit TypeMap(Node node);
    explicit TypeMap(Tree node) : node_(std::move(node)) {}

    static TypeMap of_parts(std::vector<Placed> const& parts);
    static std::uint64_t before(Node const& node, std::int64_t displacement);
    static std::uint64_t before(Repeat const& repeat, std::int64_t displacement);
    static std::uint64_t end_of(Node const& node, std::vector<Piece> const& all, std::size_t i);
    static std::size_t index_of(std::vector<Piece> const& all, std::uint64_t byte);

    template <class Visit>
    static void each_of(Node const& node, std::int64_t base, std::uint64_t from, std::uint64_t to, Visit& visit);
    template <class Visit>
    static void each_of(Repeat const& repeat, std::int64_t base, std::uint64_t from, std::uint64_t to, Visit& visit);

    Tree node_;
};

struct TypeMap::Placed {
    std::int64_t at = 0;
    TypeMap part;
};

template <class Visit>
void TypeMap::each_of(Node const& node, std::int64_t base, std::uint64_t from, std::uint64_t to, Visit& visit) {
    if (std::holds_alternative<Solid>(node.shape)) {
        visit(base + static_cast<std::int64_t>(from), to - from);
    } else if (auto const* const repeat = std::get_if<Repeat>(&node.shape)) {
        each_of(*repeat, base + repeat->at, from, to, visit);
    } else if (auto const* const pieces = std::get_if<Pieces>(&node.shape)) {
        for (auto i = index_of(pieces->all, from); from < to; ++i) {
            auto const& piece = pieces->all[i];
            auto const until = std::min(end_of(node, pieces->all, i), to);
            visit(base + piece.at + static_cast<std::int64_t>(from - piece.before), until - from);
            from = until;
        }
    } else {
        auto const& parts = std::get<Parts>(node.shape);
        for (auto i = index_of(parts.all, from); from < to; ++i) {
            auto const& piece = parts.all[i];
            auto const until = std::min(end_of(node, parts.all, i), to);
            each_of(*parts.part[i], base + piece.at, from - piece.before, until - piece.before, visit);
            from = until;
        }
    }
}

template <class Visit>
void TypeMap::each_of(Repeat const& repeat, std::int64_t base, std::uint64_t from, std::uint64_t to, Visit& visit) {
    auto const size = repeat.part->size;
    bool const solid = std::holds_alternative<Solid>(repeat.part->shape);
    for (auto i = from / size; from < to; ++i) {
        auto const first = i * size;
        auto const until = std::min(first + size, to);
        auto const at = base + static_cast<std::int64_t>(i) * repeat.stride;
        if (solid) {
            visit(at + static_cast<std::int64_t>(from - first), until - from);
        } else {
            each_of(*repeat.part, at, from - first, until - first, visit);
        }
        from = until;
    }
}

}  // namespace weir
