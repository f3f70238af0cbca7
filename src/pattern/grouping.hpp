#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weir {

/// Which ranks are a group: consecutive ones, or those of a node.
enum class GroupBy { count, node };
constexpr std::array<std::string_view, 2> enum_names(GroupBy) { return {"count", "node"}; }
constexpr std::array<std::string_view, 2> enum_words(GroupBy) {
    return {"ranks grouped by number", "ranks grouped by node"};
}

/// The requests that the root of a group makes for an access to an array that is divided on a grid. Parts that follow
/// one another in the file, those of counts, are always one request.
enum class GroupRequests {
    member,   ///< one for the part of each member
    combined  ///< one for all their parts; a back-end that cannot do that makes one for each
};
constexpr std::array<std::string_view, 2> enum_names(GroupRequests) { return {"member", "combined"}; }
constexpr std::array<std::string_view, 2> enum_words(GroupRequests) {
    return {"a request for each member", "members' requests combined"};
}

/// I/O groups: the first rank of each, its root, opens the file and makes the requests, and its members' data pass
/// between them in messages, as in PFLOTRAN (Sripathi et al. 2009). Groups differ for reading and writing.
struct Grouping {
    std::uint64_t read = 1;  ///< ranks of a group, the last one's maybe fewer; 1: each makes its own requests
    std::uint64_t write = 1;
    GroupBy by = GroupBy::count;  ///< node: whatever the sizes are
    GroupRequests requests = GroupRequests::member;
};

}  // namespace weir
