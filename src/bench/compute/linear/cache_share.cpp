#include "bench/compute/linear/cache_share.hpp"

#include <fmt/format.h>

#include "comm/launch_check.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

std::uint64_t on_node(Communicator const& comm, std::uint64_t bytes, Sharing sharing) {
    return sharing == Sharing::single ? bytes : bytes * comm.node().size();
}

}  // namespace

CacheShare::CacheShare(Communicator const& comm, std::uint64_t bytes, Sharing sharing)
    : CacheShare(comm.max(on_node(comm, bytes, sharing)), comm.max(last_cache().value_or(Bytes{0}).value)) {}

CacheShare::CacheShare(std::uint64_t node_bytes, std::uint64_t cache_bytes)
    : node_bytes_(node_bytes), cache_bytes_(cache_bytes) {}

std::optional<bool> CacheShare::in_caches() const {
    constexpr std::uint64_t times = 4;
    if (!node_bytes_ || cache_bytes_ == 0) {
        return {};
    }
    return *node_bytes_ < times * cache_bytes_;
}

void CacheShare::mark(Json& details) const {
    if (node_bytes_) {
        auto const is_in = in_caches();
        details["node_bytes"] = *node_bytes_;
        details["last_cache_bytes"] = cache_bytes_ > 0 ? Json(cache_bytes_) : Json();
        details["in_caches"] = is_in ? Json(*is_in) : Json();
    }
}

Json CacheShare::warnings() const {
    if (!in_caches().value_or(false)) {
        return Json::array();
    }
    constexpr double mib = 1 << 20;
    return to_json(
        {Warning{code,
                 fmt::format("{:.4g} MiB on a node are less than four times the last cache of {:.4g} MiB",
                             static_cast<double>(*node_bytes_) / mib, static_cast<double>(cache_bytes_) / mib),
                 *node_bytes_ > cache_bytes_ ? "it is the caches that are measured, in part"
                                             : "it is the caches that are measured",
                 "Take more --memory, or a larger size, to measure memory."}});
}

}  // namespace weir
