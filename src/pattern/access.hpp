#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pattern/extent.hpp"
#include "pattern/rank.hpp"

namespace weir {

/// What is done with a piece: written, read, or read and compared with what must stand there.
enum class Verb { write, read, check };
constexpr std::array<std::string_view, 3> enum_names(Verb) { return {"write", "read", "check"}; }

/// In which order a rank goes through the pieces of its extent: as they lie, each once in a pseudo-random order, or
/// drawn with replacement (`draws` times).
enum class OrderKind { sequential, shuffled, random };
constexpr std::array<std::string_view, 3> enum_names(OrderKind) { return {"sequential", "shuffled", "random"}; }

struct Order {
    OrderKind kind = OrderKind::sequential;
    std::uint64_t seed = 0;
    std::uint64_t draws = 0;  ///< of OrderKind::random only

    bool operator==(Order const&) const = default;
};

/// Requests of many ranks on one file, in closed form. Each rank of `ranks` has the pieces of `extent`, displaced by
/// its place in the nest `rank_levels` (ranks are one more nest of strides); one piece is one request.
struct Access {
    Verb verb = Verb::write;
    std::uint64_t file = 0;  ///< index into Pattern::files
    RankSet ranks;
    std::vector<Level> rank_levels;  ///< empty: no displacement; else its pieces are as many as the ranks
    Extent extent;
    Order order;
    bool sync_each = false;  ///< a sync after every request

    bool operator==(Access const&) const = default;
};

/// Requests that one participating rank makes.
std::uint64_t requests_per_rank(Access const&);

/// The extent of one participating rank.
Extent extent_of(Access const&, Rank);

/// One past the greatest byte that any rank touches.
std::uint64_t end_of(Access const&);

}  // namespace weir
