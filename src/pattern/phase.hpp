#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/quantity.hpp"
#include "pattern/access.hpp"

namespace weir {

enum class OpenMode { create, read, update };
constexpr std::array<std::string_view, 3> enum_names(OpenMode) { return {"create", "read", "update"}; }

// The steps of a phase other than accesses. Each is made by some ranks (none listed: by all), on the file that they see
// at that index; in repeats, `file_advance` displaces the index, as for an access.
struct Open {
    std::uint64_t file = 0;
    OpenMode mode = OpenMode::create;
    Ranks ranks{};
    std::vector<std::int64_t> file_advance{};
    bool collective = false;  ///< a later phase accesses it collectively; not needed for its own phase
    /// The file gets these of its arrays, which alone are accessed until it is closed; none: when it is created, all.
    std::optional<IndexRange> makes{};
    bool operator==(Open const&) const = default;
};
struct Preallocate {
    std::uint64_t file = 0;
    std::uint64_t bytes = 0;
    Ranks ranks{};
    std::vector<std::int64_t> file_advance{};
    bool operator==(Preallocate const&) const = default;
};
/// Returns when these ranks' asynchronous requests to the file are complete.
struct Wait {
    std::uint64_t file = 0;
    Ranks ranks{};
    std::vector<std::int64_t> file_advance{};
    bool operator==(Wait const&) const = default;
};
struct Sync {
    std::uint64_t file = 0;
    Ranks ranks{};
    std::vector<std::int64_t> file_advance{};
    bool operator==(Sync const&) const = default;
};
struct Close {
    std::uint64_t file = 0;
    Ranks ranks{};
    std::vector<std::int64_t> file_advance{};
    bool operator==(Close const&) const = default;
};
struct Compute {
    Seconds time;
    Ranks ranks{};
    bool operator==(Compute const&) const = default;
};
/// A barrier of these ranks.
struct Barrier {
    Ranks ranks{};
    bool operator==(Barrier const&) const = default;
};
/// Moves the file pointer to this byte, for programs that have one: counted and reported, but no system call, since
/// every request carries its offset.
struct Seek {
    std::uint64_t file = 0;
    std::uint64_t to = 0;
    Ranks ranks{};
    std::vector<std::int64_t> advance{};  ///< bytes per iteration of each enclosing repeat, as for an access
    std::vector<std::int64_t> file_advance{};
    bool operator==(Seek const&) const = default;
};
/// Renames a closed file over another, durably; made by all ranks together, after all earlier steps.
struct Rename {
    std::uint64_t file = 0;
    std::uint64_t to = 0;  ///< index into Pattern::files
    std::vector<std::int64_t> file_advance{};
    std::vector<std::int64_t> to_advance{};
    bool operator==(Rename const&) const = default;
};
/// Removes a closed file; made by all ranks together.
struct Remove {
    std::uint64_t file = 0;
    std::vector<std::int64_t> file_advance{};
    bool operator==(Remove const&) const = default;
};
/// A message from the root to all of these ranks, itself included.
struct Broadcast {
    std::uint64_t bytes = 0;
    std::uint64_t root = 0;
    Ranks ranks{};
    bool operator==(Broadcast const&) const = default;
};
/// Messages from the ranks of one set to those of another of the same size, each to the rank at the same position.
struct Send {
    RankSet from{};
    RankSet to{};
    std::uint64_t bytes = 0;
    bool operator==(Send const&) const = default;
};
/// Redistributes an array from one partition to another: each rank sends each other rank its overlap with that rank's
/// new part, in one message. No partition: rank 0 has the complete array.
struct Move {
    std::uint64_t file = 0;
    std::uint64_t array = 0;              ///< index into File::arrays
    std::optional<std::uint64_t> from{};  ///< indexes into Pattern::partitions
    std::optional<std::uint64_t> to{};
    Array what{};  ///< copies of these, as in an ArrayPart
    std::optional<Partition> by_from{};
    std::optional<Partition> by_to{};
    bool operator==(Move const&) const = default;
};
/// Messages between the root of each group and its members (groups as in ArrayPart), on all ranks.
struct InGroups {
    enum class Kind {
        gather,    ///< from each member, its part of an array
        scatter,   ///< to each member, its part
        broadcast  ///< to all members, the part that is the same for all
    };
    Kind kind = Kind::gather;
    std::uint64_t file = 0;
    std::uint64_t array = 0;      ///< index into File::arrays
    std::uint64_t partition = 0;  ///< index into Pattern::partitions
    std::uint64_t ranks_per_group = 1;
    Array what{};  ///< copies of these, as in an ArrayPart
    Partition by{};
    bool operator==(InGroups const&) const = default;

    /// Of this rank's part, if these are all ranks of the pattern.
    [[nodiscard]] std::uint64_t bytes_of(Rank rank, std::uint64_t ranks) const {
        return part_of(what, by, rank.value, ranks).bytes();
    }
};
constexpr std::array<std::string_view, 3> enum_names(InGroups::Kind) { return {"gather", "scatter", "broadcast"}; }
struct Step;
/// Steps that run several times.
struct Repeat {
    std::uint64_t count = 1;
    std::vector<Step> steps;
    bool operator==(Repeat const&) const;
};

/// A struct, not an alias, so that a Repeat can hold steps.
struct Step : std::variant<Open, Preallocate, Access, Sync, Close, Compute, Barrier, Repeat, Seek, Rename, Remove,
                           Broadcast, Send, Move, Wait, InGroups> {
    using variant::variant;
};

inline bool Repeat::operator==(Repeat const& other) const { return count == other.count && steps == other.steps; }

/// Which rank does which part of a phase: each its own, that of the rank `shift` further on (constant), or that of the
/// next in a ring drawn by `seed` (shuffle), so that each part is done once and, with two ranks or more, no rank does
/// its own. Reorders readers so that no rank reads data that its own node has cached.
enum class ReorderKind { none, shift, shuffle };
constexpr std::array<std::string_view, 3> enum_names(ReorderKind) { return {"none", "shift", "shuffle"}; }

struct Reorder {
    ReorderKind kind = ReorderKind::none;
    std::uint64_t shift = 0;
    std::uint64_t seed = 0;

    bool operator==(Reorder const&) const = default;
};

/// The rank whose part `rank` does, of `ranks` in all.
Rank acting_rank(Reorder const&, Rank rank, std::uint64_t ranks);

/// The other way: the rank that does the part of `acting`.
Rank doing_rank(Reorder const&, Rank acting, std::uint64_t ranks);

/// Steps that are measured together. All ranks begin a phase at the same time. A file that it leaves open stays open
/// for the next ones.
struct Phase {
    std::string name;
    bool collective = false;  ///< accesses are collective
    Reorder reorder;
    Seconds time_limit{};    ///< no request begins later than this after the phase's start; 0: no limit
    bool wear_out = false;   ///< after the limit, every rank continues to the greatest number of requests of any rank
    std::string limited_by;  ///< ranks make only as many requests as in that earlier, time-limited phase
    std::vector<Step> steps;
    Seconds tail_limit{};  ///< for wear_out: its longest time after the limit; 0: no bound
    bool timed = true;     ///< else it only prepares or ends others, and gives no result

    bool operator==(Phase const&) const = default;
    [[nodiscard]] bool is_collective(Access const& access) const { return collective || access.collective; }
};

}  // namespace weir
