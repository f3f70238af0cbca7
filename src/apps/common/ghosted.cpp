#include "apps/common/ghosted.hpp"

namespace weir {
namespace {

/// One layer of cells across an axis, with the ghosts of the earlier axes if corners are wanted.
template <class Visit>
void for_layer(Triple const& cells, std::size_t axis, Index at, GhostLayers reach, Visit visit) {
    Triple first{0, 0, 0};
    Triple last = cells;
    for (std::size_t a = 0; a < axis && reach == GhostLayers::corners; ++a) {
        first[a] = -1;
        last[a] = cells[a] + 1;
    }
    first[axis] = at;
    last[axis] = at + 1;
    for (Index k = first[2]; k < last[2]; ++k) {
        for (Index j = first[1]; j < last[1]; ++j) {
            for (Index i = first[0]; i < last[0]; ++i) {
                visit(i, j, k);
            }
        }
    }
}

void pack(Ghosted const& array, std::size_t axis, Index at, GhostLayers reach, Doubles& buffer) {
    std::size_t n = 0;
    for_layer(array.cells(), axis, at, reach, [&](Index i, Index j, Index k) { buffer[n++] = array.row(j, k)[i]; });
}

void unpack(Ghosted& array, std::size_t axis, Index at, GhostLayers reach, Doubles const& buffer) {
    std::size_t n = 0;
    for_layer(array.cells(), axis, at, reach, [&](Index i, Index j, Index k) { array.row(j, k)[i] = buffer[n++]; });
}

/// Periodic ghosts of an axis that is not cut.
void wrap(Ghosted& array, std::size_t axis, GhostLayers reach) {
    auto const n = array.cells()[axis];
    Index const across = axis == 0 ? 1 : axis == 1 ? array.row_stride() : array.plane_stride();
    for_layer(array.cells(), axis, 0, reach, [&](Index i, Index j, Index k) {
        auto* const first = array.row(j, k) + i;
        first[n * across] = first[0];
        first[-across] = first[(n - 1) * across];
    });
}

}  // namespace

Halo::Halo(Decomposition const& where, Triple const& cells) : where_(where) {
    for (std::size_t a = 0; a < axes; ++a) {
        if (where.is_cut(a)) {
            auto const b = (a + 1) % axes;
            auto const c = (a + 2) % axes;
            auto const most = static_cast<std::size_t>((cells[b] + 2) * (cells[c] + 2));
            buffers_[a] = {Doubles(most), Doubles(most), Doubles(most), Doubles(most)};
        }
    }
}

void Halo::start(Ghosted const& array, std::size_t axis, GhostLayers reach) {
    auto& b = buffers_[axis];
    pack(array, axis, 0, reach, b.to_low);
    pack(array, axis, array.cells()[axis] - 1, reach, b.to_high);
    exchanges_[axis].start(where_, axis, static_cast<int>(axis), {b.to_low, b.to_high, b.from_low, b.from_high});
}

void Halo::finish(Ghosted& array, std::size_t axis, GhostLayers reach) {
    exchanges_[axis].finish();
    unpack(array, axis, -1, reach, buffers_[axis].from_low);
    unpack(array, axis, array.cells()[axis], reach, buffers_[axis].from_high);
}

void Halo::fill(Ghosted& array, GhostLayers reach) {
    // Corners are sent with the faces of later axes, which therefore wait for the earlier axes.
    if (reach == GhostLayers::faces) {
        for (std::size_t a = 0; a < axes; ++a) {
            if (where_.is_cut(a)) {
                start(array, a, reach);
            }
        }
    }
    for (std::size_t a = 0; a < axes; ++a) {
        if (!where_.is_cut(a)) {
            wrap(array, a, reach);
            continue;
        }
        if (reach == GhostLayers::corners) {
            start(array, a, reach);
        }
        finish(array, a, reach);
    }
}

}  // namespace weir
