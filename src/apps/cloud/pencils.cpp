#include "apps/cloud/pencils.hpp"

namespace weir::cloud {

Pencils::Pencils(Index n) : cells(n) {
    constexpr Index arrays = 29;
    // Padding of a few cache lines between the arrays, to avoid associativity conflicts.
    auto const size = (n + 2 * ghosts + 3) * lanes;
    memory_.assign(static_cast<std::size_t>(arrays * size), 1.0);
    auto* next = memory_.data() + ghosts * lanes;
    auto const take = [&] {
        auto* const array = next;
        next += size;
        return array;
    };
    for (auto* group : {&mean, &left, &right, &low, &high}) {
        for (auto*& array : *group) {
            array = take();
        }
    }
    steep = take();
    flat = take();
    slope = take();
    face = take();
}

}  // namespace weir::cloud
