#include "apps/cloud/dump/plans.hpp"

#include <fmt/format.h>

namespace weir::cloud {
namespace {

/// (block,block,block) becomes (*,*,block): ranks exchange with those that have the same planes, so far as a slab of
/// those planes is contiguous, and each ends with its part of the slab in one window. Messages also within a node, so
/// that they are the paper's. `memory` is a bound that leaves room for such windows, two, for letters of their size,
/// and for what a plan keeps of other ranks.
std::string options(Decomposition const& where, Method method, std::uint64_t array_bytes) {
    auto const ranks = where.comm().size();
    auto const redistributed = [ranks](std::uint64_t window) {
        auto const room = 12 * window + 4096 * (8 + ranks);
        return fmt::format(" exchange=messages align=1B window={}B memory={}B", window, room);
    };
    auto const slabs = static_cast<std::uint64_t>(where.ranks()[2]);
    switch (method) {
        case Method::two_phase:
            return fmt::format("method=two_phase writers={0} readers={0} target={1}B", ranks, array_bytes / slabs) +
                   redistributed(array_bytes / ranks);
        case Method::rank0:
            return "method=gather" + redistributed(array_bytes);
        case Method::independent:
            break;
    }
    return "method=independent";
}

}  // namespace

void check_planes(Method method, Triple const& cells, std::uint64_t ranks) {
    validate(method != Method::two_phase || cells[2] % static_cast<Index>(ranks) == 0,
             fmt::format("{} planes of cells cannot be dumped in two phases", cells[2]),
             fmt::format("each of {} ranks writes as many whole planes", ranks),
             "Take cells along z that are a multiple of the ranks, or the method rank0 or independent.");
}

io::Plan plan_of_arrays(Decomposition const& where, Method method, std::uint64_t element_bytes) {
    auto const& n = where.grid().cells;
    auto const& p = where.ranks();
    check_planes(method, n, where.comm().size());
    auto const bytes = static_cast<std::uint64_t>(volume(n)) * element_bytes;
    // In the order of C, since ranks too stand x fastest.
    auto const blocks = io::Array::block({n[2], n[1], n[0]}, element_bytes, {p[2], p[1], p[0]});
    try {
        return {where.comm().handle(), {blocks}, options(where, method, bytes)};
    } catch (io::Error const& error) {
        throw our_error(error);
    }
}

}  // namespace weir::cloud
