#include "core/topology.hpp"

#include <hwloc.h>

#include "core/error.hpp"

namespace weir {
namespace {

/// A loaded hwloc topology that frees itself.
class Topology {
  public:
    Topology() {
        hwloc_topology_init(&topology_);
        loaded_ = hwloc_topology_load(topology_) == 0;
    }
    ~Topology() { hwloc_topology_destroy(topology_); }
    Topology(Topology const&) = delete;
    Topology& operator=(Topology const&) = delete;

    [[nodiscard]] bool loaded() const { return loaded_; }
    [[nodiscard]] hwloc_topology_t get() const { return topology_; }

    /// Null where hwloc cannot tell, or finds none.
    [[nodiscard]] Json count(hwloc_obj_type_t type) const {
        auto const n = hwloc_get_nbobjs_by_type(topology_, type);
        return n > 0 ? Json(n) : Json();
    }

  private:
    hwloc_topology_t topology_ = nullptr;
    bool loaded_ = false;
};

Json caches(Topology const& topology) {
    static constexpr hwloc_obj_type_t levels[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE};
    auto json = Json::array();
    for (auto const type : levels) {
        auto const* first = hwloc_get_obj_by_type(topology.get(), type, 0);
        if (first != nullptr) {
            json.push_back({{"level", first->attr->cache.depth},
                            {"size_bytes", first->attr->cache.size},
                            {"line_bytes", first->attr->cache.linesize},
                            {"count", topology.count(type)}});
        }
    }
    return json;
}

Json info(Topology const& topology, char const* name) {
    auto* package = hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_PACKAGE, 0);
    auto const* value = package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, name);
    return value == nullptr ? Json() : Json(value);
}

}  // namespace

Json describe_topology() {
    Topology const topology;
    if (!topology.loaded()) {
        return {};
    }
    return {{"cpu", info(topology, "CPUModel")},
            {"packages", topology.count(HWLOC_OBJ_PACKAGE)},
            {"cores", topology.count(HWLOC_OBJ_CORE)},
            {"threads", topology.count(HWLOC_OBJ_PU)},
            {"numa_nodes", topology.count(HWLOC_OBJ_NUMANODE)},
            {"caches", caches(topology)},
            {"memory_bytes", hwloc_get_root_obj(topology.get())->total_memory}};
}

}  // namespace weir
