#pragma once

#include <array>
#include <string_view>

namespace weir {

/// What keeps a read from finding its data in the page cache.
enum class CacheAvoidance {
    drop,                ///< the cache's pages of the file were dropped
    direct,              ///< O_DIRECT bypasses it
    reorder,             ///< a rank of another node wrote the data
    reorder_within_node  ///< another rank wrote them, on the same node: its page cache is the same
};
constexpr std::array<std::string_view, 4> enum_names(CacheAvoidance) {
    return {"drop", "direct", "reorder", "reorder-within-node"};
}
constexpr std::array<std::string_view, 4> enum_words(CacheAvoidance) {
    return {"cache dropped", "O_DIRECT", "by another node", "by another rank of the node"};
}

}  // namespace weir
