#include "typemap/distributed.hpp"

#include <algorithm>

namespace weir {
namespace {

/// Of one dimension, whose next index is `stride` bytes on.
TypeMap along_one(TypeMap const& part, Distribution const& which, std::int64_t stride) {
    auto const at = [&](std::uint64_t index) { return static_cast<std::int64_t>(index) * stride; };
    auto const whole = TypeMap::repeat(TypeMap::repeat(part, which.block, stride), which.count, at(which.stride));
    if (which.rest == 0) {
        return TypeMap::repeat(whole, 1, 0, at(which.start));
    }
    return TypeMap::list({{at(which.start), whole},
                          {at(which.start + which.count * which.stride), TypeMap::repeat(part, which.rest, stride)}});
}

}  // namespace

Distribution distributed(std::uint64_t size, int how, int argument, std::uint64_t processes, std::uint64_t place) {
    Distribution found{.size = size};
    if (how == MPI_DISTRIBUTE_NONE) {
        found.block = size;
        return found;
    }
    bool const cyclic = how == MPI_DISTRIBUTE_CYCLIC;
    auto const usual = cyclic ? 1 : (size + processes - 1) / processes;
    auto const length = argument == MPI_DISTRIBUTE_DFLT_DARG ? usual : static_cast<std::uint64_t>(argument);
    found.start = std::min(place * length, size);
    if (!cyclic) {
        found.block = std::min(length, size - found.start);
        return found;
    }
    found.block = length;
    found.stride = processes * length;
    auto const behind = size - found.start;
    found.count = behind / found.stride;
    auto const left = behind % found.stride;
    if (left >= length) {
        ++found.count;
    } else {
        found.rest = left;
    }
    return found;
}

TypeMap part_of_array(Datatype const& element, std::vector<Distribution> along, bool last_runs_fastest) {
    if (last_runs_fastest) {
        std::ranges::reverse(along);
    }
    auto map = element.map;
    auto stride = element.extent;
    for (auto const& one : along) {
        map = along_one(map, one, stride);
        stride *= static_cast<std::int64_t>(one.size);
    }
    return map;
}

}  // namespace weir
