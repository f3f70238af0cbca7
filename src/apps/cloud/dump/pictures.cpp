#include "apps/cloud/dump/pictures.hpp"

#include <cmath>
#include <limits>

namespace weir::cloud {
namespace {

/// Values that are no numbers are in no range.
struct Range {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();

    void add(Range const& other) {
        least = other.least < least ? other.least : least;
        greatest = other.greatest > greatest ? other.greatest : greatest;
    }
};

std::uint8_t shade(double x) { return x > 0 ? static_cast<std::uint8_t>(std::lround(x)) : std::uint8_t{0}; }

void paint_values(Communicator const& comm, std::span<std::uint8_t> cells, auto value) {
    Range range;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        auto const x = value(i);
        range.add({x, x});
    }
    range = comm.add_up(range);
    auto const width = range.greatest - range.least;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = shade((value(i) - range.least) / width * 255);
    }
}

}  // namespace

void paint(State const& state, Picture picture, std::span<std::uint8_t> cells) {
    auto const paint_each = [&](auto value) { paint_values(state.where().comm(), cells, value); };
    auto const rho = state[Variable::density];
    auto const u = state[Variable::velocity_x];
    auto const v = state[Variable::velocity_y];
    auto const w = state[Variable::velocity_z];
    auto const p = state[Variable::pressure];
    auto const phi = state[Variable::potential];
    switch (picture) {
        case Picture::density:
            return paint_each([=](std::size_t i) { return std::log(rho[i]); });
        case Picture::pressure:
            return paint_each([=](std::size_t i) { return p[i]; });
        case Picture::speed:
            return paint_each([=](std::size_t i) { return std::sqrt(u[i] * u[i] + v[i] * v[i] + w[i] * w[i]); });
        case Picture::potential:
            return paint_each([=](std::size_t i) { return phi[i]; });
    }
}

}  // namespace weir::cloud
