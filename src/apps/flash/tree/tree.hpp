#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/flash/tree/position.hpp"

namespace weir::flash {

/// What lies beyond both ends of an axis.
enum class Boundary : std::uint8_t { outflow, reflecting, periodic };
constexpr std::array<std::string_view, 3> enum_names(Boundary) { return {"outflow", "reflecting", "periodic"}; }
using Boundaries = std::array<Boundary, axes>;

/// What a leaf asks for.
enum class Mark : std::int8_t { coarsen, keep, refine };

using Direction = std::array<int, axes>;  ///< -1, 0 or 1 along each axis
using Corner = std::array<double, axes>;

constexpr int children = 8;

/// The place beside a block.
struct Beside {
    std::optional<Position> at;       ///< none if a boundary that is not periodic is between
    std::array<bool, axes> beyond{};  ///< along which axes it is beyond such a boundary
};

/// What is beside a block.
struct Neighbour {
    enum class Relation : std::uint8_t {
        same,     ///< a block of the same level, which may have children
        coarser,  ///< a leaf one level coarser, by the 2:1 balance
        outside,  ///< no block: a boundary that is not periodic is between
    };
    Relation kind = Relation::outside;
    std::size_t block = 0;            ///< it, unless `outside`
    std::array<bool, axes> beyond{};  ///< along which axes it is outside
};

// FLASH's list of a block's relatives, "gid" in its files: the neighbours at -x, +x, -y, +y, -z, +z, the parent, and
// the children, x fastest; blocks count from 1. [Flash-X, Grid I/O of Paramesh 4.]
constexpr std::size_t relatives = 15;
using Relatives = std::array<std::int32_t, relatives>;
constexpr std::int32_t no_relative = -1;  ///< none, or none at this level
constexpr std::int32_t beyond_outflow = -32;
constexpr std::int32_t beyond_reflecting = -31;

/// FLASH's list of what surrounds a block, "gsurr_blks" in its files: of the 27 places around and at the block, x
/// fastest, the block there (from 1) and its node type; where no block of this level is, `no_relative` twice, and
/// beyond a boundary what "gid" has for that, and `no_relative`.
constexpr std::size_t places_around = 27;
using Surrounding = std::array<std::array<std::int32_t, 2>, places_around>;

/// An oct-tree of blocks as FLASH's Paramesh keeps it: root blocks, and 8 children of every block that is not a leaf.
/// Blocks that touch at a face, an edge or a corner, also through a periodic boundary, differ by at most one level if
/// they are leaves (2:1 balance). Every rank holds the same whole tree, 8 to 16 bytes a block; all else is computed.
/// A value; nothing here communicates, and equal calls give equal trees.
///
/// Blocks are numbered from 0 in the order of files: by the Morton code of the lower corner at the finest level (the
/// bit of x lowest), then by level; a parent is directly before its first child. Arguments `b` must be below size().
///
/// The domain is [0, 1] along x, and as many times a root block's edge along y and z as there are root blocks: blocks
/// are cubes.
class Tree {
  public:
    /// Only the root blocks. Error (usage) if `roots` are not positive, or above 2^19 along an axis or 2^31 in all.
    Tree(Triple const& roots, Boundaries const&);

    /// The tree of these blocks, in any order, as a file lists them; `origin` names them in errors. Error (usage)
    /// unless they are all blocks of a balanced tree, parents included: names the first block (counted from 1) that is
    /// outside, there twice, without its parent or a sibling, or next to one that is two levels finer.
    static Tree of(Triple const& roots, Boundaries const&, std::span<Position const> blocks,
                   std::string const& origin = "the list of blocks");

    [[nodiscard]] Triple const& roots() const { return roots_; }
    [[nodiscard]] Boundaries const& boundaries() const { return boundaries_; }
    [[nodiscard]] std::size_t size() const { return keys_.size(); }  ///< blocks, parents included
    [[nodiscard]] int levels() const;                                ///< the finest block's level, plus 1

    [[nodiscard]] Position position(std::size_t b) const { return position_of(keys_[b], deepest_); }
    [[nodiscard]] int level(std::size_t b) const { return level_of(keys_[b]); }
    [[nodiscard]] Corner lower_corner(std::size_t b) const { return corner(b, 0); }
    /// Bit for bit the lower corner of the blocks that begin there.
    [[nodiscard]] Corner upper_corner(std::size_t b) const { return corner(b, 1); }
    [[nodiscard]] double edge(std::size_t b) const;

    [[nodiscard]] std::optional<std::size_t> find(Position const&) const;  ///< none also if it is outside the domain
    [[nodiscard]] bool is_leaf(std::size_t b) const {
        return b + 1 == size() || level_of(keys_[b + 1]) <= level_of(keys_[b]);
    }
    [[nodiscard]] std::optional<std::size_t> parent(std::size_t b) const;        ///< none of a root
    [[nodiscard]] std::optional<std::size_t> child(std::size_t b, int k) const;  ///< none of a leaf; x fastest
    [[nodiscard]] Beside beside(Position const&, Direction const&) const;        ///< the same level's place
    [[nodiscard]] Neighbour neighbour(std::size_t b, Direction const&) const;    ///< {0, 0, 0}: b itself

    [[nodiscard]] int node_type(std::size_t b) const;    ///< FLASH's: 1 a leaf, 2 parent of a leaf, 3 any other
    [[nodiscard]] int which_child(std::size_t b) const;  ///< FLASH's: 1 to 8, x fastest; -1 for a root
    [[nodiscard]] Relatives gid(std::size_t b) const;    ///< FLASH's
    [[nodiscard]] Surrounding surrounding(std::size_t b) const;

    /// The tree after one step of adaption by a mark for every block, of which those of leaves count. First every leaf
    /// that asks gets children, unless `most_levels` levels (at least 1) are reached, and so do the leaves that must
    /// for balance. Then 8 leaves with one parent vanish if all of them ask, none was refined, and no block that
    /// touches their parent is two levels finer afterwards: as many as possible, so that leaves of several levels can
    /// go at once.
    [[nodiscard]] Tree adapted(std::span<Mark const> marks, int most_levels) const;

    /// How many blocks each of `ranks` holds, contiguous in the order of blocks: block b goes to rank
    /// floor((W(b) - 1) / (W / ranks)), where a leaf weighs 2, a parent 1, W is their sum and W(b) that up to and with
    /// b (amr_sort_by_work of FLASH's Paramesh 4, in exact arithmetic). Some are 0 if there are more ranks than blocks.
    [[nodiscard]] std::vector<std::uint64_t> counts(std::uint64_t ranks) const;

    friend bool operator==(Tree const&, Tree const&) = default;

  private:
    Tree(Triple const& roots, Boundaries const&, std::vector<Key> keys);

    [[nodiscard]] std::int32_t relative_at(std::size_t b, Direction const&) const;
    [[nodiscard]] Corner corner(std::size_t b, Index ends) const;
    [[nodiscard]] std::optional<std::size_t> find_key(Key) const;

    Triple roots_;
    Boundaries boundaries_;
    int deepest_;  ///< deepest_level(roots_): keys are relative to it
    std::vector<Key> keys_;
};

/// Compares a file's "gid", 15 numbers for each block in the order of the tree, with what the tree says. Error (usage)
/// that names the first block (counted from 1) with a wrong one.
void check_neighbours(Tree const&, std::span<std::int32_t const> gids, std::string const& file);

}  // namespace weir::flash
