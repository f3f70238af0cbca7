#include "typemap/datatype.hpp"

#include <utility>
#include <vector>

#include "typemap/contents.hpp"
#include "typemap/distributed.hpp"

namespace weir {
namespace {

using Placed = TypeMap::Placed;
using Found = std::optional<TypeMap>;

std::uint64_t size_of(MPI_Datatype type) {
    MPI_Count size = 0;
    return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size > 0 ? static_cast<std::uint64_t>(size) : 0;
}

/// A predefined type. Those of a value and its index have a gap before the index where it must be aligned.
TypeMap predefined(MPI_Datatype type) {
    auto const size = size_of(type);
    if (type == MPI_SHORT_INT || type == MPI_DOUBLE_INT || type == MPI_LONG_INT || type == MPI_LONG_DOUBLE_INT ||
        type == MPI_FLOAT_INT) {
        auto const value = size - sizeof(int);
        auto const aligned = (value + alignof(int) - 1) / alignof(int) * alignof(int);
        return TypeMap::list(
            {{0, TypeMap::bytes(value)}, {static_cast<std::int64_t>(aligned), TypeMap::bytes(sizeof(int))}});
    }
    return TypeMap::bytes(size);
}

/// Blocks of `of`, whose lengths and places these functions of a block's index say.
template <class Length, class Place>
TypeMap blocks(Datatype const& of, std::uint64_t count, Length length, Place place) {
    if (of.dense()) {
        std::vector<TypeMap::Run> all;
        all.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            all.push_back({place(i), length(i) * of.map.size()});
        }
        return TypeMap::runs(all);
    }
    std::vector<Placed> parts;
    parts.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        bool const alike = !parts.empty() && length(i) == length(i - 1);
        parts.push_back({place(i), alike ? parts.back().part : of.times(length(i))});
    }
    return TypeMap::list(std::move(parts));
}

TypeMap indexed(Datatype const& of, Contents const& with) {
    auto const count = with.count(0);
    auto const extent = of.extent;
    switch (with.how) {
        case MPI_COMBINER_INDEXED:
            return blocks(
                of, count, [&](auto i) { return with.count(1 + i); },
                [&](auto i) { return with.integers[1 + count + i] * extent; });
        case MPI_COMBINER_HINDEXED:
            return blocks(
                of, count, [&](auto i) { return with.count(1 + i); }, [&](auto i) { return with.addresses[i]; });
        case MPI_COMBINER_INDEXED_BLOCK:
            return blocks(
                of, count, [&](auto) { return with.count(1); }, [&](auto i) { return with.integers[2 + i] * extent; });
        default:  // MPI_COMBINER_HINDEXED_BLOCK
            return blocks(
                of, count, [&](auto) { return with.count(1); }, [&](auto i) { return with.addresses[i]; });
    }
}

Found structure(Contents const& with) {
    std::vector<Placed> parts;
    for (std::size_t i = 0; i < with.types.size(); ++i) {
        auto const of = datatype_of(with.types[i]);
        if (!of) {
            return std::nullopt;
        }
        parts.push_back({with.addresses[i], of->times(with.count(1 + i))});
    }
    return TypeMap::list(std::move(parts));
}

TypeMap subarray(Datatype const& of, Contents const& with) {
    auto const dims = with.count(0);
    auto const* const numbers = with.integers.data() + 1;
    std::vector<Distribution> along(dims);
    for (std::uint64_t d = 0; d < dims; ++d) {
        along[d] = {.size = static_cast<std::uint64_t>(numbers[d]),
                    .start = static_cast<std::uint64_t>(numbers[2 * dims + d]),
                    .block = static_cast<std::uint64_t>(numbers[dims + d])};
    }
    return part_of_array(of, std::move(along), numbers[3 * dims] == MPI_ORDER_C);
}

TypeMap darray(Datatype const& of, Contents const& with) {
    auto rank = with.count(1);
    auto const dims = with.count(2);
    auto const* const numbers = with.integers.data() + 3;
    std::vector<Distribution> along(dims);
    for (auto d = dims; d-- > 0;) {  // the process grid is in the order of MPI_Cart_create()
        auto const processes = static_cast<std::uint64_t>(numbers[3 * dims + d]);
        along[d] = distributed(static_cast<std::uint64_t>(numbers[d]), static_cast<int>(numbers[dims + d]),
                               static_cast<int>(numbers[2 * dims + d]), processes, rank % processes);
        rank /= processes;
    }
    return part_of_array(of, std::move(along), numbers[4 * dims] == MPI_ORDER_C);
}

/// Of one type that was constructed from one other.
Found constructed(Contents const& with) {
    auto const of = with.types.size() == 1 ? datatype_of(with.types.front()) : std::nullopt;
    if (!of) {
        return std::nullopt;
    }
    switch (with.how) {
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED:
            return of->map;
        case MPI_COMBINER_CONTIGUOUS:
            return of->times(with.count(0));
        case MPI_COMBINER_VECTOR:
            return TypeMap::repeat(of->times(with.count(1)), with.count(0), with.integers[2] * of->extent);
        case MPI_COMBINER_HVECTOR:
            return TypeMap::repeat(of->times(with.count(1)), with.count(0), with.addresses[0]);
        case MPI_COMBINER_INDEXED:
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_INDEXED_BLOCK:
        case MPI_COMBINER_HINDEXED_BLOCK:
            return indexed(*of, with);
        case MPI_COMBINER_SUBARRAY:
            return subarray(*of, with);
        case MPI_COMBINER_DARRAY:
            return darray(*of, with);
        default:
            return std::nullopt;
    }
}

Found map_of(MPI_Datatype type) {
    Contents const with(type);
    if (!with.known) {
        return std::nullopt;
    }
    if (is_predefined(with.how)) {
        return predefined(type);
    }
    return with.how == MPI_COMBINER_STRUCT ? structure(with) : constructed(with);
}

}  // namespace

std::optional<Datatype> datatype_of(MPI_Datatype type) {
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    auto map = map_of(type);
    // What is not understood is not to be taken for something else.
    if (!map || map->size() != size_of(type) || PMPI_Type_get_extent_x(type, &lower, &extent) != MPI_SUCCESS) {
        return std::nullopt;
    }
    return Datatype{std::move(*map), extent};
}

}  // namespace weir
