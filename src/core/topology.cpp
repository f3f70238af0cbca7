#include "core/topology.hpp"

#include <hwloc.h>

#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

/// A loaded hwloc topology that frees itself.
class Topology {
  public:
    explicit Topology(unsigned long flags = 0) {
        hwloc_topology_init(&topology_);
        hwloc_topology_set_flags(topology_, flags);
        loaded_ = hwloc_topology_load(topology_) == 0;
    }
    ~Topology() { hwloc_topology_destroy(topology_); }
    Topology(Topology const&) = delete;
    Topology& operator=(Topology const&) = delete;

    [[nodiscard]] bool loaded() const { return loaded_; }
    [[nodiscard]] hwloc_topology_t get() const { return topology_; }

    /// Null if hwloc does not know, or finds none.
    [[nodiscard]] Json count(hwloc_obj_type_t type) const {
        auto const n = hwloc_get_nbobjs_by_type(topology_, type);
        return n > 0 ? Json(n) : Json();
    }

  private:
    hwloc_topology_t topology_ = nullptr;
    bool loaded_ = false;
};

/// A set of CPUs that frees itself; empty if the list cannot be read.
class CpuSet {
  public:
    explicit CpuSet(std::string const& list) : set_(hwloc_bitmap_alloc()) {
        if (list.empty() || hwloc_bitmap_list_sscanf(set_, list.c_str()) != 0) {
            hwloc_bitmap_zero(set_);
        }
    }
    ~CpuSet() { hwloc_bitmap_free(set_); }
    CpuSet(CpuSet const&) = delete;
    CpuSet& operator=(CpuSet const&) = delete;

    [[nodiscard]] hwloc_const_bitmap_t get() const { return set_; }

  private:
    hwloc_bitmap_t set_;
};

/// The number of objects at this depth that have a CPU of the set. A set of CPUs that the machine lacks touches none:
/// unknown.
std::optional<std::uint64_t> count_touched(Topology const& topology, int depth, CpuSet const& cpus) {
    std::uint64_t count = 0;
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_covering_cpuset_by_depth(topology.get(), cpus.get(), depth, object)) !=
           nullptr) {
        ++count;
    }
    return count > 0 ? std::optional(count) : std::nullopt;
}

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

std::vector<Coverage> cover(std::vector<std::string> const& cpu_lists) {
    // Includes CPUs of other control groups: other ranks of this node may run there.
    Topology const topology(HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    std::vector<Coverage> coverages(cpu_lists.size());
    if (!topology.loaded()) {
        return coverages;
    }
    auto const cores = hwloc_get_type_or_below_depth(topology.get(), HWLOC_OBJ_CORE);
    auto const packages = hwloc_get_type_depth(topology.get(), HWLOC_OBJ_PACKAGE);
    for (std::size_t i = 0; i < cpu_lists.size(); ++i) {
        CpuSet const cpus(cpu_lists[i]);
        coverages[i] = {count_touched(topology, cores, cpus), count_touched(topology, packages, cpus)};
    }
    return coverages;
}

std::uint64_t cpus_in(std::string const& cpu_list) {
    auto const count = hwloc_bitmap_weight(CpuSet(cpu_list).get());
    return count > 0 ? static_cast<std::uint64_t>(count) : 0;  // a list without an end has -1
}

std::optional<CpuPair> cpus_of_two_cores(std::vector<std::string> const& cpu_lists) {
    Topology const topology(HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (!topology.loaded()) {
        return {};
    }
    auto const cores = hwloc_get_type_or_below_depth(topology.get(), HWLOC_OBJ_CORE);
    auto const core_of = [&](unsigned cpu) -> hwloc_obj_t {
        auto* const thread = hwloc_get_pu_obj_by_os_index(topology.get(), cpu);
        return thread == nullptr ? nullptr : hwloc_get_ancestor_obj_by_depth(topology.get(), cores, thread);
    };
    std::optional<unsigned> first;
    for (auto const& list : cpu_lists) {
        CpuSet const cpus(list);
        for (int cpu = hwloc_bitmap_first(cpus.get()); cpu >= 0; cpu = hwloc_bitmap_next(cpus.get(), cpu)) {
            auto const number = static_cast<unsigned>(cpu);
            if (core_of(number) == nullptr) {
                break;  // the machine lacks it; a list without an end would have no end either
            }
            if (!first) {
                first = number;
            } else if (core_of(number) != core_of(*first)) {
                return CpuPair{*first, number};
            }
        }
    }
    return {};
}

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
