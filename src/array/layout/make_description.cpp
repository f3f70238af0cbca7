#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "array/layout/description.hpp"

namespace weir::array {
namespace {

void require(bool ok, std::string const& problem, std::string const& reason, std::string const& suggestion) {
    if (!ok) {
        fail(WEIR_BAD_ARGUMENT, problem, reason, suggestion);
    }
}

Indices copied(int dims, std::int64_t const* values, char const* what) {
    require(values != nullptr, fmt::format("no {} is given", what), "the pointer is null",
            "Pass one value a dimension.");
    return {values, values + dims};
}

/// Does the product fit into 63 bits, as file offsets must? An array without elements must be possible with one, since
/// the distances between its indices are computed all the same.
bool fits(Indices const& shape, std::uint64_t element_bytes) {
    auto left = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / element_bytes;
    for (auto const n : shape) {
        left /= std::max<std::uint64_t>(static_cast<std::uint64_t>(n), 1);
    }
    return left > 0;
}

void check_size(Indices const& shape, std::uint64_t element_bytes) {
    require(fits(shape, element_bytes), "the array is too large", "it has 2^63 bytes or more", "Files cannot hold it.");
}

Description describe(int dims, std::int64_t const* shape, std::size_t element_bytes, weir_order order) {
    require(dims >= 1 && dims <= WEIR_MAX_DIMS, fmt::format("an array of {} dimensions cannot be described", dims),
            fmt::format("it has 1 to {}", int{WEIR_MAX_DIMS}), "Join dimensions that are never distributed.");
    require(element_bytes >= 1, "elements of 0 bytes cannot be written", "element_bytes is 0",
            "Pass the size of the type, such as sizeof(double).");
    Description d;
    d.order = order;
    d.memory_order = order;
    d.element_bytes = element_bytes;
    d.shape = copied(dims, shape, "shape");
    for (int i = 0; i < dims; ++i) {
        require(d.shape[i] >= 0, fmt::format("the array has {} elements along dimension {}", d.shape[i], i + 1),
                "the number is negative", "Pass the global shape.");
    }
    check_size(d.shape, element_bytes);
    return d;
}

void check_within(Indices const& shape, Indices const& start, Indices const& count, std::string const& part,
                  char const* larger = "") {
    for (std::size_t i = 0; i < shape.size(); ++i) {
        bool const inside = start[i] >= 0 && count[i] >= 0 && start[i] <= shape[i] && count[i] <= shape[i] - start[i];
        require(inside, fmt::format("{} does not lie in the {}array", part, larger),
                fmt::format("along dimension {} it takes {} elements from {} on, and there are {}", i + 1, count[i],
                            start[i], shape[i]),
                "Starts count from 0, in elements of the whole array.");
    }
}

}  // namespace

Description describe_blocks(int dims, std::int64_t const* shape, std::int64_t const* block, std::int64_t const* grid,
                            std::size_t element_bytes, weir_order order) {
    auto d = describe(dims, shape, element_bytes, order);
    d.distribution = Distribution::blocks;
    d.block = block != nullptr ? copied(dims, block, "block") : Indices(static_cast<std::size_t>(dims), 0);
    if (grid != nullptr) {
        d.grid = copied(dims, grid, "grid");
    }
    for (std::size_t i = 0; i < d.shape.size(); ++i) {
        require(d.block[i] >= 0, fmt::format("a block of {} elements", d.block[i]), "it is negative",
                "Pass 0 for an even block.");
        d.block[i] = std::min(d.block[i], std::max<std::int64_t>(d.shape[i], 1));  // 0 is an even block
        require(d.grid.empty() || d.grid[i] >= 1,
                fmt::format("a grid of {} ranks along dimension {}", d.grid.empty() ? 0 : d.grid[i], i + 1),
                "there is at least one", "Pass 1 along dimensions that are not distributed.");
    }
    return d;
}

Description describe_boxes(int dims, std::int64_t const* shape, std::int64_t boxes, std::int64_t const* starts,
                           std::int64_t const* counts, std::size_t element_bytes, weir_order order) {
    auto d = describe(dims, shape, element_bytes, order);
    d.distribution = Distribution::boxes;
    require(boxes >= 0, fmt::format("{} boxes", boxes), "the number is negative", "A rank without any passes 0.");
    for (std::int64_t i = 0; i < boxes; ++i) {
        auto start = copied(dims, starts == nullptr ? nullptr : starts + i * dims, "start of the boxes");
        auto count = copied(dims, counts == nullptr ? nullptr : counts + i * dims, "size of the boxes");
        check_within(d.shape, start, count, fmt::format("box {}", i));
        d.starts.push_back(std::move(start));
        d.counts.push_back(std::move(count));
    }
    return d;
}

namespace {

/// Does a piece lie in an array of this many elements?
bool lies_within(std::int64_t elements, std::int64_t offset, std::int64_t length) {
    // No branches: the loop over a long list takes a part of the time that copying it does.
    auto const before_end = static_cast<std::uint64_t>(offset) <= static_cast<std::uint64_t>(elements);
    auto const room = static_cast<std::uint64_t>(elements) - static_cast<std::uint64_t>(offset);
    return static_cast<bool>(static_cast<unsigned>(before_end) &
                             static_cast<unsigned>(static_cast<std::uint64_t>(length) <= room));
}

void check_pieces(Indices const& shape, std::span<std::int64_t const> offsets, std::int64_t const* lengths) {
    auto const length_of = [&](std::size_t i) { return lengths == nullptr ? 1 : lengths[i]; };
    bool all = true;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        all &= lies_within(shape[0], offsets[i], length_of(i));
    }
    for (std::size_t i = 0; !all && i < offsets.size(); ++i) {
        check_within(shape, {offsets[i]}, {length_of(i)}, fmt::format("piece {}", i));
    }
}

}  // namespace

Description describe_pieces(std::int64_t elements, std::int64_t pieces, std::int64_t const* offsets,
                            std::int64_t const* lengths, std::size_t element_bytes) {
    auto d = describe(1, &elements, element_bytes, WEIR_C_ORDER);
    d.distribution = Distribution::pieces;
    require(pieces >= 0, fmt::format("{} pieces", pieces), "the number is negative", "A rank without any passes 0.");
    require(pieces == 0 || offsets != nullptr, "no offsets are given", "the pointer is null",
            "Pass the first element of each piece.");
    check_pieces(d.shape, {offsets, static_cast<std::size_t>(pieces)}, lengths);
    d.piece_unit = element_bytes;
    d.pieces = std::make_shared<Pieces const>(std::span(offsets, static_cast<std::size_t>(pieces)), lengths);
    if (auto const i = d.pieces->first_overlap(); i < d.pieces->size()) {
        require(false, "two pieces of this rank overlap", fmt::format("both hold element {}", d.pieces->position(i)),
                "List each element once on a rank.");
    }
    return d;
}

Description describe_replicated(std::int64_t elements, std::size_t element_bytes) {
    auto d = describe(1, &elements, element_bytes, WEIR_C_ORDER);
    d.distribution = Distribution::replicated;
    return d;
}

Description describe_alike(Description const& other, std::size_t element_bytes) {
    auto d = other;
    require(element_bytes >= 1, "elements of 0 bytes cannot be written", "element_bytes is 0",
            "Pass the size of the type, such as sizeof(double).");
    d.element_bytes = element_bytes;
    d.piece_unit = element_bytes;
    d.fill.clear();  // of another type
    check_size(d.larger_shape.empty() ? d.shape : d.larger_shape, element_bytes);
    return d;
}

void add_ghosts(Description& d, std::int64_t const* before, std::int64_t const* after) {
    bool const cyclic = std::ranges::any_of(d.block, [](auto b) { return b != 0; });
    bool const may = (d.distribution == Distribution::blocks && !cyclic) || d.distribution == Distribution::boxes;
    require(may, "this array has no ghost elements", "only blocks and boxes can have them",
            "Leave weir_array_ghosts() out.");
    auto const dims = static_cast<int>(d.shape.size());
    d.before = copied(dims, before, "number of ghost elements before");
    d.after = copied(dims, after, "number of ghost elements after");
    bool const negative = std::ranges::any_of(d.before, [](auto n) { return n < 0; }) ||
                          std::ranges::any_of(d.after, [](auto n) { return n < 0; });
    require(!negative, "a negative number of ghost elements", "they are counted from 0",
            "Pass 0 where there are none.");
    auto padded = d.shape;  // no local array is larger
    bool fit = true;
    for (std::size_t i = 0; i < padded.size(); ++i) {
        auto const room = std::numeric_limits<std::int64_t>::max() - padded[i];
        fit = fit && d.before[i] <= room && d.after[i] <= room - d.before[i];
        padded[i] += fit ? d.before[i] + d.after[i] : 0;
    }
    require(fit && fits(padded, d.element_bytes), "there are too many ghost elements",
            "with them, the array has 2^63 bytes or more", "They are counted in elements, on each side of a block.");
}

void put_within(Description& d, std::int64_t const* larger_shape, std::int64_t const* start) {
    auto const dims = static_cast<int>(d.shape.size());
    auto larger = copied(dims, larger_shape, "shape of the larger array");
    auto from = copied(dims, start, "start in the larger array");
    check_within(larger, from, d.shape, "the array", "larger ");
    check_size(larger, d.element_bytes);
    d.larger_shape = std::move(larger);
    d.larger_start = std::move(from);
}

}  // namespace weir::array
