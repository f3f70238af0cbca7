#pragma once

#include <cstdint>
#include <optional>

#include "bench/compute/linear/sharing.hpp"
#include "comm/communicator.hpp"
#include "core/json.hpp"

namespace weir {

/// The data that a test of memory has on a node, beside the node's last cache: where they are less than four times as
/// large, STREAM's rules say, it is caches that are measured, in part.
class CacheShare {
  public:
    static constexpr char const* code = "fits-in-cache";  ///< of the warning

    /// Nothing is known: of a test that is none of memory.
    CacheShare() = default;

    /// Of so many bytes of each rank that works; the node with the largest cache counts. Collective.
    CacheShare(Communicator const&, std::uint64_t bytes, Sharing);

    /// Pure; a cache of 0 bytes is one that no node tells.
    CacheShare(std::uint64_t node_bytes, std::uint64_t cache_bytes);

    /// Nothing, if the cache is not known.
    [[nodiscard]] std::optional<bool> in_caches() const;

    /// The mark of a sample: `node_bytes`, `last_cache_bytes`, `in_caches`; what is not known is null.
    void mark(Json& details) const;

    /// One or none, as JSON.
    [[nodiscard]] Json warnings() const;

  private:
    std::optional<std::uint64_t> node_bytes_{};
    std::uint64_t cache_bytes_ = 0;
};

}  // namespace weir
