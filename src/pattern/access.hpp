#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "pattern/array.hpp"
#include "pattern/extent.hpp"
#include "pattern/piece_lists.hpp"
#include "pattern/rank.hpp"

namespace weir {

/// The operation on a piece: write, read, read and compare with the expected stamps, or a mix of reads and writes.
enum class Verb { write, read, check, mixed };
constexpr std::array<std::string_view, 4> enum_names(Verb) { return {"write", "read", "check", "mixed"}; }

/// The order in which a rank accesses the pieces of its extent: in file order, each once in a pseudo-random order,
/// drawn with replacement (`draws` times), or its part of a random partition: `draws` pieces, drawn without replacement
/// over all ranks, so that no two ranks get the same piece. The extent of a random partition holds the pieces of all
/// ranks.
enum class OrderKind { sequential, shuffled, random, random_partition };
constexpr std::array<std::string_view, 4> enum_names(OrderKind) {
    return {"sequential", "shuffled", "random", "random-partition"};
}
constexpr std::pair<std::string_view, OrderKind> enum_alias(OrderKind) {
    return {"dealt", OrderKind::random_partition};
}

/// Are `draws` pieces per rank drawn from the extent?
constexpr bool draws(OrderKind kind) { return kind == OrderKind::random || kind == OrderKind::random_partition; }

struct Order {
    OrderKind kind = OrderKind::sequential;
    std::uint64_t seed = 0;
    std::uint64_t draws = 0;  ///< of OrderKind::random and random_partition only

    bool operator==(Order const&) const = default;
};

/// A limit on a rank's request rate.
struct Pace {
    Seconds think{};          ///< pause after each request
    Bytes most_per_second{};  ///< no request begins that would exceed this rate; 0: no limit

    bool operator==(Pace const&) const = default;
    [[nodiscard]] bool is_set() const { return think.value > 0 || most_per_second.value > 0; }
};

/// An array of the file; a partition gives each rank of an access its part.
///
/// In an access of groups' roots, the partition is among all ranks of the pattern, and a root has its members' parts:
/// each group is `ranks_per_group` consecutive ranks, the first of which is its root; the last may have fewer.
struct ArrayPart {
    std::uint64_t array = 0;      ///< index into File::arrays
    std::uint64_t partition = 0;  ///< index into Pattern::partitions
    Array what{};                 ///< copies of these, so that an access is self-contained
    Partition by{};
    std::uint64_t ranks_per_group = 0;      ///< 0: each rank has its own part
    std::optional<std::uint64_t> member{};  ///< of each group, whose part alone is accessed; none: those of all members
    std::uint64_t ranks = 0;                ///< of the pattern, for groups

    bool operator==(ArrayPart const&) const = default;
};

/// Requests of many ranks on one file. Each rank of `ranks` has the pieces of `extent`, displaced by its position in
/// the nested strides `rank_levels`, those of its list, or those of its part of an array; each piece is one request, or
/// all pieces of a rank are one.
struct Access {
    Verb verb = Verb::write;
    std::uint64_t file = 0;  ///< index into Pattern::files
    RankSet ranks;
    std::vector<Level> rank_levels;  ///< empty: no displacement; else it has as many positions as there are ranks
    Extent extent;                   ///< for lists only its start counts: it displaces all pieces
    Order order;
    bool sync_each = false;   ///< a sync after every request
    PieceLists lists{};       ///< in place of rank_levels and extent
    bool list_io = false;     ///< all pieces of a rank are one request, in file order
    bool collective = false;  ///< its requests are collective, as in a collective phase
    /// Its requests are asynchronous: a wait, sync or close of the file, or the end of the phase, completes them. Until
    /// then data must stay unchanged.
    bool asynchronous = false;
    /// The program has a file pointer, and sets it before each request that it is elsewhere for: a seek as a Seek
    /// step's.
    bool seeks = false;
    std::uint64_t read_percent = 0;  ///< for Verb::mixed: this many of each 100 requests are reads
    Pace pace{};
    std::vector<std::int64_t> advance{};  ///< bytes per iteration of each enclosing repeat, outermost first; none: 0
    std::vector<std::int64_t> file_advance{};  ///< the same in indexes into Pattern::files
    std::optional<ArrayPart> part{};  ///< in place of rank_levels, extent and lists; it is one request (`list_io`)

    bool operator==(Access const&) const = default;
};

/// The volume of one rank, or of all that take part.
struct Volume {
    std::uint64_t pieces = 0;
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    std::uint64_t read_requests = 0;  ///< of them, reads and checks
    std::uint64_t read_bytes = 0;
};

/// The number of pieces of one rank; constant time.
std::uint64_t pieces_of(Access const&, Rank);

/// Time grows with the number of listed pieces; constant for closed forms.
Volume volume(Access const&);
Volume volume(Access const&, Rank);

/// For Verb::mixed: is the request at this turn of a rank (from 0) a read? Reads are spread evenly.
bool reads_at(Access const&, std::uint64_t turn);

/// The largest request, in bytes.
std::uint64_t largest_request(Access const&);

/// For an access to an array: the part of this rank, which must take part; for the root of a group those of several
/// ranks, one after the other in memory.
std::vector<Section> sections_of(Access const&, Rank);

/// The rank at this position among those of the access.
Rank rank_at(Access const&, std::uint64_t position);

/// The extent of one participating rank.
Extent extent_of(Access const&, Rank);

/// Do the nested strides of all ranks together leave no gap, whatever the order of their pieces?
bool is_dense(Access const&);

/// One past the last byte that any rank accesses.
std::uint64_t end_of(Access const&);

}  // namespace weir
