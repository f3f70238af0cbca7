#include "pattern/geometry.hpp"

#include <algorithm>
#include <tuple>

#include "pattern/operations.hpp"

namespace weir {
namespace {

/// Adds one rank's runs, until there are `most`.
void add_runs(Geometry& geometry, Pattern const& pattern, Access access, Rank rank, std::size_t most) {
    auto const name = file_name(pattern.files[access.file], rank);
    if (!draws(access.order.kind) && access.lists.empty()) {
        access.order = {};
        access.extent = coalesced(access.extent);
    }
    Operations operations(access, rank);
    for (Operation operation; operations.next(operation);) {
        if (geometry.runs.size() == most) {
            geometry.complete = false;
            return;
        }
        geometry.runs.push_back({name, operation.offset, operation.length, rank.value});
    }
}

bool by_place(Run const& a, Run const& b) { return std::tie(a.file, a.offset) < std::tie(b.file, b.offset); }

std::vector<Access> accesses(Phase const& phase) {
    std::vector<Access> result;
    for (auto const& step : phase.steps) {
        if (auto const* access = std::get_if<Access>(&step)) {
            result.push_back(*access);
        }
    }
    return result;
}

}  // namespace

Geometry geometry(Pattern const& pattern, std::size_t most) {
    Geometry result;
    for (auto const& phase : pattern.phases) {
        auto const moves = accesses(phase);
        if (moves.empty()) {
            continue;
        }
        result.phase = phase.name;
        for (auto const& access : moves) {
            // An equal share for each rank, so that the head of the file is whole even where the rest is cut.
            auto const share = std::max<std::size_t>(1, most / access.ranks.count);
            for (std::uint64_t i = 0; i < access.ranks.count && result.runs.size() < most; ++i) {
                auto const rank = Rank{access.ranks.first + i * access.ranks.step};
                add_runs(result, pattern, access, rank, std::min(most, result.runs.size() + share));
            }
            result.complete = result.complete && access.ranks.count <= most;
        }
        break;
    }
    std::sort(result.runs.begin(), result.runs.end(), by_place);
    return result;
}

}  // namespace weir
