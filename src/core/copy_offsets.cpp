#include "core/copy_offsets.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "core/latency.hpp"

namespace weir {
namespace {

constexpr std::size_t copied = 64U << 10U;
constexpr std::size_t behind = 16;  // as two neighbours on the heap, the first a multiple of a page long
constexpr std::size_t batches_of_each = 15;
constexpr int calls = 5;

double batch_s(std::byte* to, std::byte const* from, Clock const& clock, Copy asked) {
    Copy volatile copy = asked;  // the compiler does not know it, so that it makes no loop of its own
    auto const begun_s = clock.now_s();
    for (int i = 0; i < calls; ++i) {
        copy(to, from, copied);
    }
    return (clock.now_s() - begun_s) / calls;
}

}  // namespace

CopyOffsets measure_copy_offsets(Clock const& clock, Copy copy) {
    constexpr std::size_t page = 4096;
    std::vector<std::byte> memory(2 * copied + 3 * page);
    auto const past = reinterpret_cast<std::uintptr_t>(memory.data()) % page;
    auto* const from = memory.data() + (page - past) % page;
    auto* const to = from + copied + page;
    std::vector<double> same;
    std::vector<double> later;
    for (std::size_t i = 0; i < batches_of_each; ++i) {
        same.push_back(batch_s(to, from, clock, copy));
        later.push_back(batch_s(to + behind, from, clock, copy));
    }
    return {copied, behind, batches_of_each, median(std::move(same)), median(std::move(later))};
}

}  // namespace weir
