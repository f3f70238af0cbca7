#include "core/array_section.hpp"

#include <numeric>

namespace weir {
namespace {

/// Position of the byte whose index along each dimension `place` gives.
template <class Place>
std::uint64_t position_of(Section const& section, Place place) {
    std::uint64_t position = 0;
    for (auto const& d : section.all()) {
        position = position * d.extent + place(d);
    }
    return section.origin + position;
}

}  // namespace

std::uint64_t Dim::owned_before(std::uint64_t place) const {
    if (place <= first) {
        return 0;
    }
    auto const way = place - first;
    if (one_block()) {
        return std::min(way, owned);
    }
    return std::min(way / stride * block + std::min(way % stride, block), owned);
}

Dim held_along(std::uint64_t extent, std::uint64_t block, std::uint64_t ranks, std::uint64_t coordinate) {
    if (block == 0 || ranks == 1) {
        auto const even = extent / ranks;
        auto const more = extent % ranks;
        auto const owned = even + (coordinate < more ? 1 : 0);
        auto const first = coordinate * even + std::min(coordinate, more);
        return {extent, first, owned, std::max<std::uint64_t>(owned, 1), owned, 0};
    }
    if (extent / block < ranks) {  // at most one block per rank; what follows could overflow 64 bits for huge blocks
        auto const first = coordinate <= extent / block ? coordinate * block : extent;
        auto const owned = std::min(block, extent - first);
        return {extent, first, std::max<std::uint64_t>(owned, 1), block, owned, 0};
    }
    auto const stride = block * ranks;
    auto const first = coordinate * block;
    auto const rest = (extent - first) % stride;
    auto const owned = (extent - first) / stride * block + std::min(rest, block);
    return {extent, first, block, stride, owned, 0};
}

std::uint64_t Section::bytes() const {
    std::uint64_t product = 1;
    for (auto const& d : all()) {
        product *= d.owned;
    }
    return product;
}

std::uint64_t Section::array_end() const {
    std::uint64_t product = 1;
    for (auto const& d : all()) {
        product *= d.extent;
    }
    return origin + product;
}

std::uint64_t Section::begin() const {
    return bytes() == 0 ? origin : position_of(*this, [](Dim const& d) { return d.first; });
}

std::uint64_t Section::end() const {
    return bytes() == 0 ? origin : position_of(*this, [](Dim const& d) { return d.place(d.owned - 1); }) + 1;
}

std::uint64_t Section::count_before(std::uint64_t position) const {
    if (position <= origin) {
        return 0;
    }
    if (position >= array_end()) {
        return bytes();
    }
    auto rest = position - origin;
    auto extents = array_end() - origin;
    auto held = bytes();
    std::uint64_t count = 0;
    for (auto const& d : all()) {
        if (d.owned == 0) {
            return 0;
        }
        extents /= d.extent;
        held /= d.owned;
        auto const index = rest / extents;
        rest %= extents;
        auto const before = d.owned_before(index);
        count += before * held;
        bool const mine = before < d.owned && d.place(before) == index;
        if (!mine) {
            return count;
        }
    }
    return count;
}

Rows Section::rows_at(std::uint64_t from, std::uint64_t to) const {
    auto const& fastest = dim[dims - 1];
    auto const inner = from % fastest.owned;
    auto outer = from / fastest.owned;
    auto const left = to - from;

    Rows rows;
    std::uint64_t scale = fastest.extent;
    std::uint64_t together = 1;  // rows from here to the end of the block in the next slower dimension
    rows.position = origin;
    rows.memory = memory;
    for (auto k = dims - 1; k-- > 0;) {
        auto const& d = dim[k];
        auto const ordinal = outer % d.owned;
        outer /= d.owned;
        rows.position += d.place(ordinal) * scale;
        rows.memory += static_cast<std::int64_t>(ordinal) * d.memory_stride;
        scale *= d.extent;
        if (k + 2 == dims) {
            together = std::min(d.block - ordinal % d.block, d.owned - ordinal);
        }
    }
    rows.position += fastest.place(inner);
    rows.memory += static_cast<std::int64_t>(inner);

    if (!fastest.one_block()) {
        auto const in_block = inner % fastest.block;
        auto const here = std::min(left, fastest.owned - inner);
        if (in_block == 0 && here >= fastest.block) {
            rows.length = fastest.block;
            rows.rows = here / fastest.block;
            rows.position_step = fastest.stride;
            rows.memory_step = static_cast<std::int64_t>(fastest.block);
        } else {
            rows.length = std::min(here, fastest.block - in_block);
        }
    } else if (inner == 0 && left >= fastest.owned && dims > 1) {
        rows.length = fastest.owned;
        rows.rows = std::min(together, left / fastest.owned);
        rows.position_step = fastest.extent;
        rows.memory_step = dim[dims - 2].memory_stride;
    } else {
        rows.length = std::min(left, fastest.owned - inner);
    }
    return rows;
}

namespace {

/// Merges two adjacent dimensions, if the faster one is held completely and memory is contiguous across them.
bool merge(Dim const& slow, Dim const& fast, Dim& both) {
    bool const follows =
        slow.owned <= 1 || slow.memory_stride == static_cast<std::int64_t>(fast.extent) * fast.memory_stride;
    if (!fast.whole() || !fast.one_block() || !follows) {
        return false;
    }
    both = {slow.extent * fast.extent, slow.first * fast.extent, slow.block * fast.extent,
            slow.stride * fast.extent, slow.owned * fast.extent, fast.memory_stride};
    return true;
}

/// The smallest index held in both dimensions; false if there is none.
bool common_place(Dim const& a, Dim const& b, std::uint64_t& place) {
    // Walks the blocks of both in step; after the least common multiple of the strides the pattern repeats.
    auto const period = a.one_block() || b.one_block() ? ~std::uint64_t{0} : std::lcm(a.stride, b.stride);
    auto const start = std::max(a.first, b.first);
    std::uint64_t i = a.owned_before(start);
    std::uint64_t j = b.owned_before(start);
    while (i < a.owned && j < b.owned) {
        auto const x = a.place(i);
        auto const y = b.place(j);
        if (x == y) {
            place = x;
            return true;
        }
        if (std::max(x, y) - start > period) {
            return false;
        }
        if (x < y) {
            i = a.owned_before(y);
        } else {
            j = b.owned_before(x);
        }
    }
    return false;
}

}  // namespace

Section coalesced(Section section) {
    for (std::size_t k = section.dims - 1; k-- > 0;) {
        if (merge(section.dim[k], section.dim[k + 1], section.dim[k])) {
            std::copy(section.dim.begin() + k + 2, section.dim.begin() + section.dims, section.dim.begin() + k + 1);
            --section.dims;
        }
    }
    return section;
}

namespace {

/// The part with ordinals from..to of the indices held along a dimension; `from` is the first index of a block.
Dim some_of(Dim dim, std::uint64_t from, std::uint64_t to) {
    dim.first = dim.place(from);
    dim.owned = to - from;
    return dim;
}

}  // namespace

std::vector<Section> cut(Section const& section, std::uint64_t most_bytes) {
    if (section.bytes() <= most_bytes) {
        return {section};
    }
    for (std::size_t k = 0; k + 1 < section.dims; ++k) {
        auto const& dim = section.dim[k];
        auto const unit = dim.one_block() ? 1 : dim.block;
        auto const half = (dim.owned / 2 + unit - 1) / unit * unit;
        if (half == 0 || half >= dim.owned) {
            continue;
        }
        auto lower = section;
        auto upper = section;
        lower.dim[k] = some_of(dim, 0, half);
        upper.dim[k] = some_of(dim, half, dim.owned);
        upper.memory += static_cast<std::int64_t>(half) * dim.memory_stride;
        auto parts = cut(lower, most_bytes);
        auto const more = cut(upper, most_bytes);
        parts.insert(parts.end(), more.begin(), more.end());
        return parts;
    }
    return {section};
}

std::uint64_t count_runs(Section const& section) {
    auto const least = coalesced(section);
    auto const& fastest = least.dim[least.dims - 1];
    if (fastest.owned == 0) {
        return 0;
    }
    auto const of_row = fastest.one_block() ? 1 : (fastest.owned + fastest.block - 1) / fastest.block;
    return least.bytes() / fastest.owned * of_row;
}

bool meet(Section const& a, Section const& b, std::uint64_t& position) {
    if (a.origin != b.origin || a.bytes() == 0 || b.bytes() == 0) {
        return false;
    }
    std::uint64_t at = 0;
    for (std::size_t k = 0; k < a.dims; ++k) {
        std::uint64_t place = 0;
        if (!common_place(a.dim[k], b.dim[k], place)) {
            return false;
        }
        at = at * a.dim[k].extent + place;
    }
    position = a.origin + at;
    return true;
}

namespace {

std::uint64_t greatest_factor(std::uint64_t n) {
    std::uint64_t greatest = 1;
    for (std::uint64_t factor = 2; factor * factor <= n; ++factor) {
        while (n % factor == 0) {
            greatest = factor;
            n /= factor;
        }
    }
    return std::max(n, greatest);
}

}  // namespace

std::vector<std::uint64_t> square_grid(std::vector<std::uint64_t> const& shape, std::uint64_t ranks,
                                       std::vector<std::uint64_t> const& given) {
    std::vector<std::uint64_t> grid(shape.size(), 1);
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i < given.size() && given[i] != 0) {
            grid[i] = given[i];
            if (ranks % given[i] != 0) {
                return given;
            }
            ranks /= given[i];
        } else {
            free.push_back(i);
        }
    }
    while (ranks > 1 && !free.empty()) {
        auto const factor = greatest_factor(ranks);
        ranks /= factor;
        auto longest = free.front();
        for (auto const i : free) {
            if (shape[i] * grid[longest] > shape[longest] * grid[i]) {
                longest = i;
            }
        }
        grid[longest] *= factor;
    }
    return grid;
}

}  // namespace weir
