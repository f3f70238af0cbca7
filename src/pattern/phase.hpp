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

// The steps of a phase besides accesses. Each is made by some ranks (none listed: by all), on the file that they see at
// that index; in repeats, `file_advance` displaces the index as it does that of an access.
struct Open {
    std::uint64_t file = 0;
    OpenMode mode = OpenMode::create;
    Ranks ranks{};
    std::vector<std::int64_t> file_advance{};
    bool collective = false;  ///< a later phase accesses it collectively; of its own phase that need not be said
    bool operator==(Open const&) const = default;
};
struct Preallocate {
    std::uint64_t file = 0;
    std::uint64_t bytes = 0;
    Ranks ranks{};
    std::vector<std::int64_t> file_advance{};
    bool operator==(Preallocate const&) const = default;
};
/// Returns when what these ranks have asked for asynchronously of the file is done.
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
/// The ranks wait for each other.
struct Barrier {
    Ranks ranks{};
    bool operator==(Barrier const&) const = default;
};
/// The ranks stand at this byte of the file, for programs with file pointers: counted and told, but no call of the
/// system, since every request carries its offset.
struct Seek {
    std::uint64_t file = 0;
    std::uint64_t to = 0;
    Ranks ranks{};
    std::vector<std::int64_t> advance{};  ///< bytes a turn of each repeat around it, as of an access
    std::vector<std::int64_t> file_advance{};
    bool operator==(Seek const&) const = default;
};
/// A closed file takes the place of another one, on the device too; made by all ranks together, after all before it.
struct Rename {
    std::uint64_t file = 0;
    std::uint64_t to = 0;  ///< index into Pattern::files
    std::vector<std::int64_t> file_advance{};
    std::vector<std::int64_t> to_advance{};
    bool operator==(Rename const&) const = default;
};
/// A closed file goes; made by all ranks together.
struct Remove {
    std::uint64_t file = 0;
    std::vector<std::int64_t> file_advance{};
    bool operator==(Remove const&) const = default;
};
/// A message from the root to all of these ranks, itself among them.
struct Broadcast {
    std::uint64_t bytes = 0;
    std::uint64_t root = 0;
    Ranks ranks{};
    bool operator==(Broadcast const&) const = default;
};
/// Messages from the ranks of one set to those of another, as many, each to the one at its own place.
struct Send {
    RankSet from{};
    RankSet to{};
    std::uint64_t bytes = 0;
    bool operator==(Send const&) const = default;
};
/// All ranks have an array by one partition, and then by another one: each sends the others what they have of its part
/// then, in one message, and nothing to itself. No partition: rank 0 has all of it.
struct Move {
    std::uint64_t file = 0;
    std::uint64_t array = 0;              ///< index into File::arrays
    std::optional<std::uint64_t> from{};  ///< indexes into Pattern::partitions
    std::optional<std::uint64_t> to{};
    Array what{};  ///< what these name, as of an ArrayPart
    std::optional<Partition> by_from{};
    std::optional<Partition> by_to{};
    bool operator==(Move const&) const = default;
};
struct Step;
/// Steps that are made again and again.
struct Repeat {
    std::uint64_t count = 1;
    std::vector<Step> steps;
    bool operator==(Repeat const&) const;
};

/// A struct and no alias, so that a Repeat can hold steps.
struct Step : std::variant<Open, Preallocate, Access, Sync, Close, Compute, Barrier, Repeat, Seek, Rename, Remove,
                           Broadcast, Send, Move, Wait> {
    using variant::variant;
};

inline bool Repeat::operator==(Repeat const& other) const { return count == other.count && steps == other.steps; }

/// Who does whose part of a phase: each rank its own, that of the rank `shift` further on (constant), or that of the
/// next in a ring drawn by `seed` (shuffle), so that each part is done once and, of two ranks or more, nobody does its
/// own. Readers are reordered so that nobody reads what its own node has cached.
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

/// Steps that are measured together. All ranks begin a phase at the same time. A file that it leaves open is so for the
/// next ones.
struct Phase {
    std::string name;
    bool collective = false;  ///< accesses are made by all ranks together
    Reorder reorder;
    Seconds time_limit{};    ///< no request begins later than this after the phase's start; 0 is no limit
    bool wear_out = false;   ///< after the limit, every rank goes on to the most requests that any rank had made
    std::string limited_by;  ///< ranks make only as many requests as in that earlier, time-limited phase
    std::vector<Step> steps;
    Seconds tail_limit{};  ///< of wear_out: it lasts no longer than this after the limit; 0 is no bound

    bool operator==(Phase const&) const = default;
    [[nodiscard]] bool is_collective(Access const& access) const { return collective || access.collective; }
};

}  // namespace weir
