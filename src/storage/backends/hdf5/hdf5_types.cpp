// Elements, shapes and parts of arrays as HDF5's types, dataspaces and selections.

#include "storage/backends/hdf5/hdf5_types.hpp"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

Hdf5Handle copy_of(hid_t type) { return {H5Tcopy(type), H5Tclose}; }

Hdf5Handle sized(hid_t type, std::uint64_t bytes) {
    auto handle = copy_of(type);
    H5Tset_size(handle.get(), bytes);
    return handle;
}

Hdf5Handle whole_number(hid_t type, std::uint64_t bytes) {
    auto handle = sized(type, bytes);
    constexpr std::uint64_t bits = 8;
    H5Tset_precision(handle.get(), bits * bytes);  // setting only the size keeps the old precision
    return handle;
}

Hdf5Handle compound(Element const& element) {
    Hdf5Handle handle(H5Tcreate(H5T_COMPOUND, element.bytes), H5Tclose);
    for (auto const& member : element.members) {
        H5Tinsert(handle.get(), member.name.c_str(), member.offset, type_of(member.element).get());
    }
    return handle;
}

bool holds_members(hid_t stored, Element const& element) {
    if (H5Tget_class(stored) != H5T_COMPOUND || H5Tget_size(stored) != element.bytes ||
        H5Tget_nmembers(stored) != static_cast<int>(element.members.size())) {
        return false;
    }
    return std::ranges::all_of(element.members, [&](Member const& member) {
        auto const index = H5Tget_member_index(stored, member.name.c_str());
        if (index < 0) {
            return false;
        }
        auto const place = static_cast<unsigned>(index);
        Hdf5Handle const type(H5Tget_member_type(stored, place), H5Tclose);
        return H5Tget_member_offset(stored, place) == member.offset && holds(type.get(), member.element);
    });
}

/// A hyperslab along each dimension.
struct Slab {
    std::vector<hsize_t> start, stride, count, block;

    void add(Dim const& dim, std::uint64_t from, std::uint64_t blocks, std::uint64_t block_length) {
        start.push_back(from);
        stride.push_back(std::max(dim.stride, block_length));
        count.push_back(blocks);
        block.push_back(block_length);
    }
};

/// A rank's part, which is not empty, as hyperslabs: the last block of a dimension may be shorter than the others.
std::vector<Slab> slabs_of(std::span<Dim const> dims) {
    std::vector<Slab> slabs(1);
    for (auto const& dim : dims) {
        auto const block = dim.one_block() ? dim.owned : dim.block;
        auto const blocks = dim.owned / block;
        auto const rest = dim.owned % block;
        auto const before = slabs.size();
        for (std::size_t i = 0; i < before; ++i) {
            if (rest > 0) {
                slabs.push_back(slabs[i]);
                slabs.back().add(dim, dim.place(blocks * block), 1, rest);
            }
            slabs[i].add(dim, dim.first, blocks, block);
        }
    }
    return slabs;
}

}  // namespace

Hdf5Handle type_of(Element const& element) {
    switch (element.kind) {
        case Element::Kind::integer:
            return whole_number(H5T_NATIVE_INT8, element.bytes);
        case Element::Kind::natural:
            return whole_number(H5T_NATIVE_UINT8, element.bytes);
        case Element::Kind::real:
            return copy_of(element.bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE);
        case Element::Kind::compound:
            return compound(element);
        case Element::Kind::text:
            break;
    }
    auto text = sized(H5T_C_S1, element.bytes);
    H5Tset_strpad(text.get(), H5T_STR_NULLPAD);
    return text;
}

bool holds(hid_t stored, Element const& element) {
    switch (element.kind) {
        case Element::Kind::compound:
            return holds_members(stored, element);
        case Element::Kind::text:
            return H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0 &&
                   H5Tget_size(stored) == element.bytes;
        default:
            return H5Tequal(stored, type_of(element).get()) > 0;
    }
}

Hdf5Handle space_of(std::vector<std::uint64_t> const& shape) {
    std::vector<hsize_t> const extents(shape.begin(), shape.end());
    auto const space = shape.empty() ? H5Screate(H5S_SCALAR)
                                     : H5Screate_simple(static_cast<int>(shape.size()), extents.data(), nullptr);
    return {space, H5Sclose};
}

Hdf5Handle space_of(StridedMemory const& memory) {
    auto space = space_of(memory.shape);
    std::vector<hsize_t> const start(memory.start.begin(), memory.start.end());
    std::vector<hsize_t> const count(memory.count.begin(), memory.count.end());
    auto const status = H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    return status < 0 ? Hdf5Handle() : std::move(space);
}

herr_t select(hid_t space, std::span<Section const> parts) {
    herr_t status = 0;
    auto how = H5S_SELECT_SET;
    for (auto const& part : parts) {
        auto const dims = part.all().first(part.dims - 1);
        if (part.bytes() == 0) {
            continue;
        }
        if (dims.empty()) {
            return H5Sselect_all(space);
        }
        for (auto const& slab : slabs_of(dims)) {
            status = std::min(status, H5Sselect_hyperslab(space, how, slab.start.data(), slab.stride.data(),
                                                          slab.count.data(), slab.block.data()));
            how = H5S_SELECT_OR;
        }
    }
    return how == H5S_SELECT_SET ? H5Sselect_none(space) : status;
}

}  // namespace weir
