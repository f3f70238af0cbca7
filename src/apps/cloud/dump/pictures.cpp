#include "apps/cloud/dump/pictures.hpp"

#include <cmath>

namespace weir::cloud {
namespace {

/// Rounds to 0 to 255, without a library call per cell.
std::uint8_t shade(double x) {
    if (!(x > 0)) {
        return 0;
    }
    auto const below = static_cast<int>(x);
    return static_cast<std::uint8_t>(below + (x - below >= 0.5 ? 1 : 0));
}

/// Passes `work` a function from a cell to its painted value.
template <class Work>
void with_value(State const& state, Picture picture, Work const& work) {
    auto const rho = state[Variable::density];
    auto const u = state[Variable::velocity_x];
    auto const v = state[Variable::velocity_y];
    auto const w = state[Variable::velocity_z];
    auto const p = state[Variable::pressure];
    auto const phi = state[Variable::potential];
    switch (picture) {
        case Picture::density:
            return work([=](std::size_t i) { return std::log(rho[i]); });
        case Picture::pressure:
            return work([=](std::size_t i) { return p[i]; });
        case Picture::speed:
            return work([=](std::size_t i) { return std::sqrt(u[i] * u[i] + v[i] * v[i] + w[i] * w[i]); });
        case Picture::potential:
            return work([=](std::size_t i) { return phi[i]; });
    }
}

}  // namespace

void Range::add(Range const& other) {
    least = other.least < least ? other.least : least;
    greatest = other.greatest > greatest ? other.greatest : greatest;
}

void Ranges::add(Ranges const& other) {
    for (std::size_t picture = 0; picture < size(); ++picture) {
        (*this)[picture].add(other[picture]);
    }
}

Ranges ranges_of(State const& state) {
    Ranges ranges;
    auto const cells = static_cast<std::size_t>(state.cells());
    for (std::size_t picture = 0; picture < ranges.size(); ++picture) {
        with_value(state, static_cast<Picture>(picture), [&](auto value) {
            for (std::size_t i = 0; i < cells; ++i) {
                auto const x = value(i);
                ranges[picture].add({x, x});
            }
        });
    }
    return state.where().comm().add_up(ranges);
}

void paint(State const& state, Picture picture, Range const& range, std::span<std::uint8_t> cells) {
    auto const width = range.greatest - range.least;
    with_value(state, picture, [&](auto value) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i] = shade((value(i) - range.least) / width * 255);
        }
    });
}

}  // namespace weir::cloud
