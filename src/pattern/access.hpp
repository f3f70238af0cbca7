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

/// What is done with a piece: written, read, read and compared with what must stand there, or some of the pieces read
/// and the others written.
enum class Verb { write, read, check, mixed };
constexpr std::array<std::string_view, 4> enum_names(Verb) { return {"write", "read", "check", "mixed"}; }

/// In which order a rank goes through the pieces of its extent: as they lie, each once in a pseudo-random order, drawn
/// with replacement (`draws` times), or its part of a random partition: `draws` pieces, drawn without replacement over
/// all ranks, so that no piece goes to two of them. The extent of a random partition holds the pieces of all ranks.
enum class OrderKind { sequential, shuffled, random, random_partition };
constexpr std::array<std::string_view, 4> enum_names(OrderKind) {
    return {"sequential", "shuffled", "random", "random-partition"};
}
constexpr std::pair<std::string_view, OrderKind> enum_alias(OrderKind) {
    return {"dealt", OrderKind::random_partition};
}

/// Are pieces drawn from the extent, so many a rank as `draws` says?
constexpr bool draws(OrderKind kind) { return kind == OrderKind::random || kind == OrderKind::random_partition; }

struct Order {
    OrderKind kind = OrderKind::sequential;
    std::uint64_t seed = 0;
    std::uint64_t draws = 0;  ///< of OrderKind::random and random_partition only

    bool operator==(Order const&) const = default;
};

/// How a rank keeps itself from going as fast as it can.
struct Pace {
    Seconds think{};          ///< it pauses so long after each request
    Bytes most_per_second{};  ///< it begins no request that would make it faster than this; 0: no limit

    bool operator==(Pace const&) const = default;
    [[nodiscard]] bool is_set() const { return think.value > 0 || most_per_second.value > 0; }
};

/// An array of the file, of which each rank of an access has the part that a partition gives it.
struct ArrayPart {
    std::uint64_t array = 0;      ///< index into File::arrays
    std::uint64_t partition = 0;  ///< index into Pattern::partitions
    Array what{};                 ///< what these name, so that an access can be worked out by itself
    Partition by{};

    bool operator==(ArrayPart const&) const = default;
};

/// Requests of many ranks on one file. Each rank of `ranks` has the pieces of `extent`, displaced by its place in the
/// nest `rank_levels` (ranks are one more nest of strides), those of its list, or those of its part of an array; one
/// piece is one request, or all pieces of a rank are one.
struct Access {
    Verb verb = Verb::write;
    std::uint64_t file = 0;  ///< index into Pattern::files
    RankSet ranks;
    std::vector<Level> rank_levels;  ///< empty: no displacement; else its pieces are as many as the ranks
    Extent extent;                   ///< of lists only its start counts: all pieces are displaced by it
    Order order;
    bool sync_each = false;   ///< a sync after every request
    PieceLists lists{};       ///< in place of rank_levels and extent
    bool list_io = false;     ///< all pieces of a rank are one request, in the order of the file
    bool collective = false;  ///< its requests are made by all ranks of the file together, as in a collective phase
    /// Its requests are begun, and the rank goes on: a wait, sync or close of the file waits for them, and the phase's
    /// end. Data stay in place until then.
    bool asynchronous = false;
    std::uint64_t read_percent = 0;  ///< of Verb::mixed: so many of each 100 requests read
    Pace pace{};
    std::vector<std::int64_t> advance{};       ///< bytes a turn of each repeat around it, outermost first; none: 0
    std::vector<std::int64_t> file_advance{};  ///< the same in indexes into Pattern::files
    std::optional<ArrayPart> part{};  ///< in place of rank_levels, extent and lists; it is one request (`list_io`)

    bool operator==(Access const&) const = default;
};

/// How much it is: of one rank, or of all that take part.
struct Volume {
    std::uint64_t pieces = 0;
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    std::uint64_t read_requests = 0;  ///< of them, those that read or check
    std::uint64_t read_bytes = 0;
};

/// How many pieces one rank has; takes no time.
std::uint64_t pieces_of(Access const&, Rank);

/// Takes time by the number of listed pieces, and none for what is in closed form.
Volume volume(Access const&);
Volume volume(Access const&, Rank);

/// Of Verb::mixed: does the request at this turn of a rank (from 0) read? Reads are spread evenly.
bool reads_at(Access const&, std::uint64_t turn);

/// The largest request, in bytes.
std::uint64_t largest_request(Access const&);

/// Of an access to an array: what this rank, which takes part, has of it.
Section section_of(Access const&, Rank);

/// The extent of one participating rank.
Extent extent_of(Access const&, Rank);

/// One past the greatest byte that any rank touches.
std::uint64_t end_of(Access const&);

}  // namespace weir
