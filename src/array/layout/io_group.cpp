#include "array/layout/io_group.hpp"

#include <algorithm>
#include <limits>

namespace weir::array {

namespace {

/// A rank's section, extended to the full length of its fastest dimensions and the bytes of an element.
Section widened(Section section, std::uint64_t merged) {
    for (auto k = section.dims - 1 - merged; k < section.dims; ++k) {
        auto& d = section.dim[k];
        d = {d.extent, 0, d.extent, d.extent, d.extent, 0};
    }
    // Strides as in a dense array, so that adjacent dimensions merge into one.
    std::int64_t stride = 1;
    for (auto k = section.dims; k-- > 0;) {
        section.dim[k].memory_stride = stride;
        stride *= static_cast<std::int64_t>(section.dim[k].owned);
    }
    return section;
}

/// Bytes of the contiguous pieces of a widened section.
std::uint64_t piece_bytes(Section const& section) {
    auto const least = coalesced(section);
    auto const& fastest = least.dim[least.dims - 1];
    return std::min(fastest.block, fastest.owned);
}

/// The grids of ranks in the file's order, slowest first; nothing if the arrays' grids differ.
std::optional<Indices> common_grid(Arrays const& arrays, std::uint64_t ranks) {
    std::optional<Indices> common;
    for (auto const& d : arrays.descriptions) {
        if (d.distribution == Distribution::replicated) {
            continue;  // small; rank 0's row writes it too
        }
        if (d.distribution != Distribution::blocks || d.order != arrays.descriptions.back().order) {
            return std::nullopt;
        }
        auto grid = grid_of(d, ranks);
        if (common && *common != grid) {
            return std::nullopt;
        }
        common = grid;
    }
    return common;
}

}  // namespace

std::optional<GridRow> row_of(Arrays const& arrays, CommRank place, std::uint64_t target) {
    auto const grid = common_grid(arrays, place.ranks);
    bool const header = std::ranges::any_of(arrays.descriptions,
                                            [](auto const& d) { return d.distribution == Distribution::replicated; });
    if (!grid || header || arrays.bytes() == 0) {
        return std::nullopt;
    }
    auto const dims = grid->size();
    bool const c_order = arrays.descriptions.front().order == WEIR_C_ORDER;
    auto const share = arrays.share({0, place.ranks}, Use::write);  // the first rank's blocks are the longest
    GridRow row;
    for (row.merged = 0; row.merged < dims; ++row.merged) {
        row.piece_bytes = std::numeric_limits<std::uint64_t>::max();
        for (auto const& part : share) {
            row.piece_bytes = std::min(row.piece_bytes, piece_bytes(widened(*part.section(), row.merged)));
        }
        if (row.piece_bytes >= target) {
            break;
        }
    }
    // The coordinates along the dimensions that are not merged, as MPI_Cart_create numbers ranks.
    auto rest = place.rank;
    std::uint64_t stride = 1;
    for (std::size_t i = dims; i-- > 0;) {
        auto const n = static_cast<std::uint64_t>((*grid)[i]);
        auto const slowness = c_order ? i : dims - 1 - i;
        if (slowness < dims - row.merged) {
            row.colour += rest % n * row.rows;
            row.rows *= n;
            row.first += rest % n * stride;
        }
        rest /= n;
        stride *= n;
    }
    return row;
}

Region region_of(Arrays const& arrays, std::uint64_t ranks, GridRow const& row) {
    std::vector<Section> sections;
    for (auto const& part : arrays.share({row.first, ranks}, Use::read)) {
        sections.push_back(widened(*part.section(), row.merged));
    }
    return Region(sections);
}

IoGroup group_of_row(Communicator const& comm, Arrays const& arrays, GridRow const& row, FirstFailure& failure) {
    IoGroup group{comm.split(row.colour), {}, row.rows};
    failure.attempt([&] { group.region = region_of(arrays, comm.size(), row); });
    return group;
}

namespace {

/// The bounding box of the ranks' parts of one array, and the bytes in them.
struct Hull {
    std::array<std::uint64_t, Section::max_dims> first, end;  ///< along each dimension, in the file's order
    std::uint64_t bytes = 0;                                  ///< of the sections
    std::uint64_t held = 0;                                   ///< of all parts

    Hull() {
        first.fill(std::numeric_limits<std::uint64_t>::max());
        end.fill(0);
    }
    void add(Hull const& other) {
        bytes += other.bytes;
        held += other.held;
        for (std::size_t k = 0; k < first.size(); ++k) {
            first[k] = std::min(first[k], other.first[k]);
            end[k] = std::max(end[k], other.end[k]);
        }
    }
};

/// The hull of one rank's share. Not coalesced: a box is found dimension by dimension, and the dimensions must be the
/// array's on all ranks.
Hull hull_of(Description const& d, Share const& share, std::uint64_t array) {
    Hull hull;
    for (auto const& part : share) {
        if (part.array() != array) {
            continue;
        }
        hull.held += part.bytes();
        if (auto const* section = part.section()) {
            hull.bytes += section->bytes();
            for (std::size_t k = 0; k < d.shape.size() + 1; ++k) {
                auto const& dim = section->dim[k];
                hull.first[k] = std::min(hull.first[k], dim.first);
                hull.end[k] = std::max(hull.end[k], dim.place(dim.owned - 1) + 1);
            }
        }
    }
    return hull;
}

Section box(Description const& d, Hull const& hull, std::uint64_t origin) {
    Section section;
    section.dims = d.shape.size() + 1;
    section.origin = origin;
    auto const element = section.dims - 1;
    for (std::size_t k = 0; k < section.dims; ++k) {
        auto const i = d.order == WEIR_C_ORDER ? k : d.shape.size() - 1 - k;
        auto const extent = k == element ? d.element_bytes : static_cast<std::uint64_t>(d.shape[i]);
        auto const owned = hull.end[k] - hull.first[k];
        section.dim[k] = {extent, hull.first[k], owned, owned, owned, 0};
    }
    return widened(section, 0);
}

/// The range from the first byte that ranks hold to the last.
struct Bounds {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t end = 0;

    void add(Bounds const& other) {
        first = std::min(first, other.first);
        end = std::max(end, other.end);
    }
};

Bounds bounds_of(Share const& share) {
    Bounds bounds;
    for (auto const& part : share) {
        if (part.bytes() > 0) {
            bounds.add({part.begin(), part.end()});
        }
    }
    return bounds;
}

Region region_of(Arrays const& arrays, std::vector<Hull> const& hulls, Bounds const& bounds) {
    std::vector<Section> boxes;
    for (std::size_t i = 0; i < hulls.size(); ++i) {
        auto const& hull = hulls[i];
        if (hull.held == 0) {
            continue;
        }
        auto const one = hull.bytes == hull.held ? box(arrays.descriptions[i], hull, arrays.origins[i]) : Section{};
        if (hull.bytes != hull.held || one.bytes() != hull.held) {
            auto const first = std::min(bounds.first, arrays.bytes());
            auto const bytes = std::max(first, bounds.end) - first;
            Section between;
            between.dim[0] = {arrays.bytes(), first, std::max<std::uint64_t>(bytes, 1), bytes, bytes, 1};
            return Region({between});
        }
        boxes.push_back(one);
    }
    return Region(boxes);
}

}  // namespace

Region group_region(Arrays const& arrays, std::vector<Share> const& shares) {
    std::vector<Hull> hulls(arrays.descriptions.size());
    Bounds bounds;
    for (auto const& share : shares) {
        for (std::size_t i = 0; i < hulls.size(); ++i) {
            hulls[i].add(hull_of(arrays.descriptions[i], share, i));
        }
        bounds.add(bounds_of(share));
    }
    return region_of(arrays, hulls, bounds);
}

IoGroup group_of_node(Communicator const& comm, Arrays const& arrays, Use use, std::uint64_t group_ranks,
                      FirstFailure& failure) {
    IoGroup group{comm.split(comm.rank() / group_ranks), {}, (comm.size() + group_ranks - 1) / group_ranks};
    Share share;
    std::vector<Hull> hulls;
    failure.attempt([&] {
        share = arrays.share({comm.rank(), comm.size()}, use);
        hulls.resize(arrays.descriptions.size());
        for (std::size_t i = 0; i < hulls.size(); ++i) {
            hulls[i] = hull_of(arrays.descriptions[i], share, i);
        }
    });
    for (std::size_t i = 0; i < arrays.descriptions.size(); ++i) {
        auto const all = group.comm.add_up(hulls.empty() ? Hull() : hulls[i]);
        failure.attempt([&] { hulls[i] = all; });
    }
    auto const bounds = group.comm.add_up(bounds_of(share));
    failure.attempt([&] { group.region = region_of(arrays, hulls, bounds); });
    return group;
}

}  // namespace weir::array
