#include "apps/common/run/file_steps.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weir {

std::vector<Step> all_of(Pattern const& shape, std::uint64_t file, OpenMode mode, std::uint64_t of_rank0) {
    auto const verb = mode == OpenMode::read ? Verb::read : Verb::write;
    auto const& arrays = shape.files[file].arrays;
    std::vector<Step> steps{Open{file, mode, {}, {}, true}};
    for (std::uint64_t array = 0; array < arrays.size(); ++array) {
        auto const alone = array < of_rank0;
        auto access = access_to(shape, verb, file, array, alone ? 0 : 1, {0, alone ? 1 : shape.ranks, 1});
        access.collective = !alone;
        steps.emplace_back(std::move(access));
        if (alone && verb == Verb::read) {
            steps.emplace_back(Broadcast{bytes_of(arrays[array]), 0, {}});
        }
    }
    return steps;
}

void append(std::vector<Step>& steps, std::vector<Step> more) { std::ranges::move(more, std::back_inserter(steps)); }

Phase phase_of(std::string name, std::vector<Step> steps) {
    Phase phase;
    phase.name = std::move(name);
    phase.steps = std::move(steps);
    return phase;
}

}  // namespace weir
