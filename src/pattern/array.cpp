#include "pattern/array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/join.hpp"

namespace weir {
namespace {

constexpr auto most = std::uint64_t{std::numeric_limits<std::int64_t>::max()};

/// The product, or nothing if it is 2^63 or more.
std::optional<std::uint64_t> product(std::vector<std::uint64_t> const& factors, std::uint64_t first = 1) {
    auto result = first;
    for (auto const factor : factors) {
        if (factor != 0 && result > most / factor) {
            return std::nullopt;
        }
        result *= factor;
    }
    return result;
}

std::uint64_t count_of(Partition const& by, std::uint64_t place) { return by.counts[place % by.counts.size()]; }

/// The number of elements that the ranks before this one have, along the slowest dimension.
std::uint64_t counted_before(Partition const& by, std::uint64_t place) {
    std::uint64_t round = 0;
    std::uint64_t rest = 0;
    for (std::size_t i = 0; i < by.counts.size(); ++i) {
        round += by.counts[i];
        rest += i < place % by.counts.size() ? by.counts[i] : 0;
    }
    return place / by.counts.size() * round + rest;
}

Dim whole(std::uint64_t extent) { return {extent, 0, extent, std::max<std::uint64_t>(extent, 1), extent, 0}; }

/// The part that consecutive indices along the slowest dimension are.
Section rows_of(Array const& array, IndexRange const& rows) {
    Section section;
    section.origin = array.offset.value_or(0);
    section.dims = array.shape.size() + 1;
    for (std::size_t k = 0; k < array.shape.size(); ++k) {
        section.dim[k] = whole(array.shape[k]);
    }
    section.dim[0] = {array.shape[0], rows.first, rows.count, std::max<std::uint64_t>(rows.count, 1), rows.count, 0};
    section.dim[array.shape.size()] = whole(array.element.bytes);
    return section;
}

/// Sets each dimension's stride in memory for a part without gaps.
void lay_in_memory(Section& section) {
    std::int64_t stride = 1;
    for (auto k = section.dims; k-- > 0;) {
        section.dim[k].memory_stride = stride;
        stride *= static_cast<std::int64_t>(section.dim[k].owned);
    }
}

std::optional<std::string> misfit_of_counts(Array const& array, Partition const& by, std::uint64_t ranks) {
    if (!by.grid.empty() || !by.block.empty() || by.first_fastest) {
        return "it has counts, and a grid or blocks as well";
    }
    if (array.shape.empty()) {
        return "it has counts, and the array no dimension";
    }
    if (!by.cycle && by.counts.size() != ranks) {
        return fmt::format("it has {} counts for {} ranks", by.counts.size(), ranks);
    }
    auto const extent = array.shape[0];
    auto const fits = std::ranges::all_of(by.counts, [&](std::uint64_t count) { return count <= extent; });
    if (!fits || by.counts.size() > ranks || counted_before(by, ranks) != extent) {
        return fmt::format("its counts are not {} in all, which the array's slowest dimension has", extent);
    }
    return std::nullopt;
}

std::optional<std::string> misfit_of_grid(Array const& array, Partition const& by, std::uint64_t ranks) {
    if (by.cycle) {
        return "it repeats counts in cycles, and has none";
    }
    for (auto const* along : {&by.grid, &by.block}) {
        if (!along->empty() && along->size() != array.shape.size()) {
            return fmt::format("it has {} dimensions, and the array {}", along->size(), array.shape.size());
        }
    }
    auto const grid = grid_of(array, by, ranks);
    if (product(grid) != ranks) {
        return array.shape.empty() ? fmt::format("one element is not divided among {} ranks", ranks)
                                   : fmt::format("its grid of {} does not hold {} ranks", join(grid, " x "), ranks);
    }
    return std::nullopt;
}

std::optional<std::string> misfit_of_same(Array const& array, Partition const& by) {
    if (!by.grid.empty() || !by.block.empty() || !by.counts.empty() || by.cycle || by.first_fastest) {
        return "it is the same for all ranks, and divides the array as well";
    }
    auto const extent = array.shape.empty() ? 0 : array.shape[0];
    if (by.same->count == 0 || by.same->count > extent || by.same->first > extent - by.same->count) {
        return fmt::format("its {} indices from {} on are not among the array's {}", by.same->count, by.same->first,
                           extent);
    }
    return std::nullopt;
}

}  // namespace

std::uint64_t bytes_of(Array const& array) {
    auto const bytes = product(array.shape, array.element.bytes);
    expect(bytes.has_value(), "an array fits into a file");
    return *bytes;
}

std::vector<std::uint64_t> grid_of(Array const& array, Partition const& by, std::uint64_t ranks) {
    return square_grid(array.shape, ranks, by.grid);
}

Section part_of(Array const& array, Partition const& by, std::uint64_t place, std::uint64_t ranks) {
    if (by.same || !by.counts.empty()) {
        auto section = rows_of(array, by.same ? *by.same : IndexRange{counted_before(by, place), count_of(by, place)});
        lay_in_memory(section);
        return section;
    }
    Section section;
    section.origin = array.offset.value_or(0);
    section.dims = array.shape.size() + 1;
    auto const grid = grid_of(array, by, ranks);
    auto rest = place;
    for (std::size_t i = 0; i < array.shape.size(); ++i) {
        auto const k = by.first_fastest ? i : array.shape.size() - 1 - i;
        section.dim[k] = held_along(array.shape[k], by.block.empty() ? 0 : by.block[k], grid[k], rest % grid[k]);
        rest /= grid[k];
    }
    section.dim[array.shape.size()] = whole(array.element.bytes);
    lay_in_memory(section);
    return section;
}

namespace {

/// The coordinates along a dimension whose even blocks overlap [first, end).
std::pair<std::uint64_t, std::uint64_t> overlapping(std::uint64_t extent, std::uint64_t ranks, std::uint64_t first,
                                                    std::uint64_t end) {
    auto const holder = [&](std::uint64_t place) {
        auto const even = extent / ranks;
        auto const more = extent % ranks;
        return place < more * (even + 1) ? place / (even + 1) : more + (place - more * (even + 1)) / even;
    };
    return {holder(first), holder(end - 1) + 1};
}

}  // namespace

std::vector<Common> in_common(Array const& array, std::optional<Partition> const& mine, std::uint64_t place,
                              std::optional<Partition> const& theirs, std::uint64_t ranks) {
    if (bytes_of(array) == 0 || (!mine && place > 0)) {
        return {};
    }
    auto const own = mine ? part_of(array, *mine, place, ranks) : part_of(array, {}, 0, 1);
    if (own.bytes() == 0) {
        return {};
    }
    if (!theirs) {
        return {{0, own.bytes()}};
    }
    std::vector<Common> found{{0, array.element.bytes}};
    auto const grid = grid_of(array, *theirs, ranks);
    for (std::size_t i = 0; i < grid.size(); ++i) {
        auto const k = theirs->first_fastest ? grid.size() - 1 - i : i;
        auto const first = own.dim[k].first;
        auto const end = first + own.dim[k].owned;
        auto const [from, to] = overlapping(array.shape[k], grid[k], first, end);
        std::vector<Common> next;
        for (auto const& one : found) {
            for (auto coordinate = from; coordinate < to; ++coordinate) {
                auto const block = held_along(array.shape[k], 0, grid[k], coordinate);
                auto const common = std::min(end, block.first + block.owned) - std::max(first, block.first);
                next.push_back({one.rank * grid[k] + coordinate, one.bytes * common});
            }
        }
        found = std::move(next);
    }
    return found;
}

std::optional<std::string> misfit(Array const& array, Partition const& by, std::uint64_t ranks) {
    auto const bytes =
        array.shape.size() < Section::max_dims ? product(array.shape, array.element.bytes) : std::nullopt;
    if (!bytes || *bytes > most - std::min(most, array.offset.value_or(0))) {
        return "the array ends at 2^63 bytes or beyond, or has more than 7 dimensions";
    }
    return by.same             ? misfit_of_same(array, by)
           : by.counts.empty() ? misfit_of_grid(array, by, ranks)
                               : misfit_of_counts(array, by, ranks);
}

}  // namespace weir
