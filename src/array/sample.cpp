#include "array/sample.hpp"

#include <algorithm>
#include <numeric>

namespace weir::array {
namespace {

std::uint64_t file_bytes_of(std::vector<Description> const& all) {
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                           [](std::uint64_t sum, Description const& d) { return sum + d.file_bytes(); });
}

/// Cuts dimension i to some multiple of what all ranks along it need, at least, so that `excess` times as few are left.
void cut(Description& d, std::size_t i, double excess) {
    auto const block = d.block.empty() ? 0 : d.block[i];
    auto const each = d.grid.empty() ? 1 : d.grid[i] * std::max<std::int64_t>(block, 1);
    auto const left = static_cast<std::int64_t>(static_cast<double>(d.shape[i]) / excess) / each * each;
    d.shape[i] = std::min(d.shape[i], std::max(left, each));
    if (!d.larger_shape.empty()) {
        d.larger_shape[i] = d.shape[i];
        d.larger_start[i] = 0;
    }
}

/// All but the fastest dimension of blocks may be cut; what all ranks hold has no other.
void shorten(Description& d, std::uint64_t ranks, double excess) {
    if (d.distribution == Distribution::replicated) {
        cut(d, 0, excess);
    }
    if (d.distribution != Distribution::blocks) {
        return;
    }
    d.grid = grid_of(d, ranks);
    auto const dims = d.shape.size();
    auto const before = static_cast<double>(d.file_bytes());
    for (std::size_t slow = 0; slow + 1 < dims; ++slow) {
        auto const done = before / static_cast<double>(d.file_bytes());
        if (done >= excess) {
            return;
        }
        cut(d, d.order == WEIR_C_ORDER ? slow : dims - 1 - slow, excess / done);
    }
}

}  // namespace

std::optional<std::vector<Description>> sample_of(std::vector<Description> const& all, std::uint64_t ranks,
                                                  std::uint64_t most) {
    auto sample = all;
    if (file_bytes_of(sample) > most) {
        auto const excess = static_cast<double>(file_bytes_of(sample)) / static_cast<double>(most);
        for (auto& d : sample) {
            shorten(d, ranks, excess);
        }
    }
    return file_bytes_of(sample) <= most ? std::optional(std::move(sample)) : std::nullopt;
}

}  // namespace weir::array
