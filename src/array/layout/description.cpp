#include "array/layout/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/join.hpp"

namespace weir::array {
namespace {

std::uint64_t product(Indices const& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{1},
                           [](std::uint64_t a, std::int64_t b) { return a * static_cast<std::uint64_t>(b); });
}

/// Dimension `k` of the file, counted from the slowest, as an index of the array.
std::size_t index_of(Description const& d, std::size_t k) {
    return d.order == WEIR_C_ORDER ? k : d.shape.size() - 1 - k;
}

/// Rank order of a grid is that of MPI_Cart_create: the last dimension runs fastest.
Indices coordinates(Indices const& grid, std::uint64_t rank) {
    Indices at(grid.size());
    for (auto d = grid.size(); d-- > 0;) {
        at[d] = static_cast<std::int64_t>(rank % static_cast<std::uint64_t>(grid[d]));
        rank /= static_cast<std::uint64_t>(grid[d]);
    }
    return at;
}

/// Sets each dimension's stride in memory, and the section's first byte: the local array is dense except for ghosts.
/// Returns the bytes of the local array. `dim` holds the dimensions in the order of the array's indices.
std::uint64_t lay_in_memory(Description const& d, std::vector<Dim>& dim, std::int64_t& first) {
    auto stride = static_cast<std::int64_t>(d.element_bytes);
    for (std::size_t k = 0; k < dim.size(); ++k) {
        auto const i = d.memory_order == WEIR_C_ORDER ? dim.size() - 1 - k : k;
        auto const before = d.before.empty() ? 0 : d.before[i];
        auto const after = d.after.empty() ? 0 : d.after[i];
        dim[i].memory_stride = stride;
        first += before * stride;
        stride *= static_cast<std::int64_t>(dim[i].owned) + before + after;
    }
    return static_cast<std::uint64_t>(stride);
}

/// Puts the dimensions into the file's order, followed by the bytes of an element.
Section in_file_order(Description const& d, std::vector<Dim> const& dim) {
    Section section;
    section.dims = dim.size() + 1;
    for (std::size_t k = 0; k < dim.size(); ++k) {
        section.dim[k] = dim[index_of(d, k)];
    }
    auto const e = d.element_bytes;
    section.dim[dim.size()] = {e, 0, e, e, e, 1};
    return section;
}

std::vector<Dim> blocks_of(Description const& d, CommRank place) {
    auto const grid = grid_of(d, place.ranks);
    auto const at = coordinates(grid, place.rank);
    std::vector<Dim> dim;
    for (std::size_t i = 0; i < d.shape.size(); ++i) {
        dim.push_back(held_along(static_cast<std::uint64_t>(d.shape[i]), static_cast<std::uint64_t>(d.block[i]),
                                 static_cast<std::uint64_t>(grid[i]), static_cast<std::uint64_t>(at[i])));
    }
    return dim;
}

std::vector<Dim> box_of(Description const& d, std::size_t box) {
    std::vector<Dim> dim;
    for (std::size_t i = 0; i < d.shape.size(); ++i) {
        auto const count = static_cast<std::uint64_t>(d.counts[box][i]);
        dim.push_back({static_cast<std::uint64_t>(d.shape[i]), static_cast<std::uint64_t>(d.starts[box][i]), count,
                       std::max<std::uint64_t>(count, 1), count, 0});
    }
    return dim;
}

std::vector<Dim> all_of(Description const& d) {
    auto const n = static_cast<std::uint64_t>(d.shape[0]);
    return {{n, 0, n, std::max<std::uint64_t>(n, 1), n, 0}};
}

/// All sections of a rank, each with its offset in memory; also the bytes of the local array.
std::pair<std::vector<Section>, std::uint64_t> sections_of(Description const& d, CommRank place) {
    std::vector<std::vector<Dim>> boxes;
    if (d.distribution == Distribution::blocks) {
        boxes.push_back(blocks_of(d, place));
    } else if (d.distribution == Distribution::replicated) {
        boxes.push_back(all_of(d));
    }
    for (std::size_t i = 0; i < d.starts.size(); ++i) {
        boxes.push_back(box_of(d, i));
    }
    std::vector<Section> sections;
    std::uint64_t bytes = 0;
    for (auto& dim : boxes) {
        auto first = static_cast<std::int64_t>(bytes);
        bytes += lay_in_memory(d, dim, first);
        sections.push_back(in_file_order(d, dim));
        sections.back().memory = first;
    }
    return {sections, bytes};
}

}  // namespace

std::uint64_t Description::bytes() const { return product(shape) * element_bytes; }

std::uint64_t Description::file_bytes() const {
    return (larger_shape.empty() ? product(shape) : product(larger_shape)) * element_bytes;
}

std::string Description::summary() const {
    auto text = fmt::format("{} elements of {} bytes in {} order", join(shape, " x "), element_bytes,
                            order == WEIR_C_ORDER ? "C" : "Fortran");
    if (distribution == Distribution::blocks) {
        bool const even = std::ranges::count(block, 0) == std::ssize(block);
        text += even ? ", even blocks" : fmt::format(", block-cyclic in blocks of {}", join(block, " x "));
        text += grid.empty() ? "" : fmt::format(" on a grid of {}", join(grid, " x "));
    } else if (distribution == Distribution::replicated) {
        text += ", on every rank";
    }
    if (!fill.empty()) {
        text += ", filled with bytes";
        for (auto const byte : fill) {
            text += fmt::format(" {}", std::to_integer<unsigned>(byte));
        }
    }
    if (!larger_shape.empty()) {
        text += fmt::format(", part of {} from {}", join(larger_shape, " x "), join(larger_start, ", "));
    }
    return text;
}

Indices grid_of(Description const& d, std::uint64_t ranks) {
    auto const grid = square_grid(d.shape, ranks, d.grid);
    if (d.grid.empty()) {
        return grid;
    }
    auto left = ranks;  // of a product that can exceed 64 bits
    bool const divides = std::ranges::all_of(grid, [&](std::int64_t n) {
        auto const along = static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1));
        bool const whole = left % along == 0;
        left /= along;
        return whole;
    });
    if (!divides || left != 1) {
        fail(WEIR_BAD_ARGUMENT, fmt::format("the grid of {} does not hold all ranks", join(d.grid, " x ")),
             fmt::format("it has {} places, and the communicator has {} ranks", product(d.grid), ranks),
             "Give a grid whose product is the number of ranks, or none.");
    }
    return grid;
}

Indices square_grid(Indices const& shape, std::uint64_t ranks, Indices const& given) {
    using Counts = std::vector<std::uint64_t>;
    auto const grid = weir::square_grid(Counts(shape.begin(), shape.end()), ranks, Counts(given.begin(), given.end()));
    return {grid.begin(), grid.end()};
}

Share share_of(Description const& d, CommRank place, Use use, std::uint64_t array, std::uint64_t origin) {
    if (d.distribution == Distribution::pieces) {
        return {Part(PieceList(d.pieces, d.piece_unit, origin, array))};
    }
    if (d.distribution == Distribution::replicated && use == Use::write && place.rank != 0) {
        return {};
    }
    Share share;
    for (auto section : sections_of(d, place).first) {
        section.origin = origin;
        section.array = array;
        if (section.bytes() > 0) {
            share.emplace_back(section);
        }
    }
    return share;
}

std::uint64_t local_bytes(Description const& d, CommRank place) {
    if (d.distribution != Distribution::pieces) {
        return sections_of(d, place).second;
    }
    return d.pieces->units() * d.piece_unit;
}

std::pair<Indices, Indices> local_block(Description const& d, CommRank place) {
    Indices start;
    Indices count;
    for (auto const& dim : blocks_of(d, place)) {
        start.push_back(static_cast<std::int64_t>(dim.first));
        count.push_back(static_cast<std::int64_t>(dim.owned));
    }
    return {start, count};
}

std::optional<Section> place_in_larger(Description const& d) {
    if (d.larger_shape.empty()) {
        return std::nullopt;
    }
    std::vector<Dim> dim;
    for (std::size_t i = 0; i < d.shape.size(); ++i) {
        auto const count = static_cast<std::uint64_t>(d.shape[i]);
        dim.push_back({static_cast<std::uint64_t>(d.larger_shape[i]), static_cast<std::uint64_t>(d.larger_start[i]),
                       count, std::max<std::uint64_t>(count, 1), count, 0});
    }
    auto whole = d;
    whole.before.clear();
    whole.after.clear();
    whole.memory_order = d.order;
    std::int64_t first = 0;
    lay_in_memory(whole, dim, first);
    return coalesced(in_file_order(d, dim));
}

}  // namespace weir::array
