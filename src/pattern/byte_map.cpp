#include "pattern/byte_map.hpp"

#include <algorithm>
#include <tuple>

#include "pattern/loops.hpp"
#include "pattern/operations.hpp"

namespace weir {
namespace {

/// Adds one rank's runs, up to `most` in total.
void add_runs(Geometry& geometry, Pattern const& pattern, Access access, Rank rank, std::size_t most) {
    auto const name = file_name(pattern.files[access.file], rank);
    if (!draws(access.order.kind) && access.lists.empty() && !access.part) {
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

bool by_place(Run const& a, Run const& b) {
    return std::tie(a.file, a.offset, a.rank, a.length) < std::tie(b.file, b.offset, b.rank, b.length);
}

/// The runs of an access on all its ranks.
void add_access(Geometry& result, Pattern const& pattern, Access const& access, std::size_t most) {
    // An equal share for each rank, so that the start of the file is complete even if the rest is cut.
    auto const share = std::max<std::size_t>(1, most / access.ranks.count);
    for (std::uint64_t i = 0; i < access.ranks.count && result.runs.size() < most; ++i) {
        auto const rank = Rank{access.ranks.first + i * access.ranks.step};
        add_runs(result, pattern, access, rank, std::min(most, result.runs.size() + share));
    }
    result.complete = result.complete && access.ranks.count <= most;
}

bool moves_data(Phase const& phase) {
    bool moves = false;
    each_access(phase.steps, [&](Access const&, Loops const&) { moves = true; });
    return moves;
}

}  // namespace

Geometry geometry(Pattern const& pattern, std::size_t most) {
    Geometry result;
    for (auto const& phase : pattern.phases) {
        if (!moves_data(phase)) {
            continue;
        }
        result.phase = phase.name;
        std::size_t seen = 0;
        each_turn(phase.steps, [&](Step const& step, Turns const& turns) {
            auto const* access = std::get_if<Access>(&step);
            constexpr std::size_t most_steps = 100'000;
            if (++seen > most_steps || (access != nullptr && result.runs.size() >= most)) {
                result.complete = false;
                return false;
            }
            if (access != nullptr) {
                add_access(result, pattern, at(*access, turns), most);
            }
            return true;
        });
        break;
    }
    std::sort(result.runs.begin(), result.runs.end(), by_place);
    // Repeated accesses are drawn once.
    result.runs.erase(std::unique(result.runs.begin(), result.runs.end()), result.runs.end());
    return result;
}

}  // namespace weir
