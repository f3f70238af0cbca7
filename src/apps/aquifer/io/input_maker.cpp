#include "apps/aquifer/io/input_maker.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/error.hpp"
#include "core/seed_of_sequence.hpp"

namespace weir::aquifer {
namespace {

constexpr std::size_t wave_count = 64;

/// Numbers that are the same on every machine.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(mix(seed)) {}

    /// In (0, 1].
    double uniform() {
        constexpr double step = 0x1p-53;
        state_ = mix(state_);
        return static_cast<double>((state_ >> 11U) + 1) * step;
    }

    /// Standard normal, by Box and Muller (1958).
    double normal() {
        auto const radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

  private:
    std::uint64_t state_;
};

/// Along z the box is thin.
Point correlation_of(Box const& box, double across) {
    auto const height = static_cast<double>(box.cells[2]) * box.edges[2];
    return {across, across, std::max(0.1 * height, 2 * box.edges[2])};
}

template <class Number>
void put(std::span<std::byte>& data, Number value) {
    std::memcpy(data.data(), &value, sizeof value);
    data = data.subspan(sizeof value);
}

}  // namespace

RandomField::RandomField(Point const& correlation, std::uint64_t seed) {
    Draws draws(seed);
    for (std::size_t i = 0; i < wave_count; ++i) {
        Wave wave{};
        for (std::size_t axis = 0; axis < axes; ++axis) {
            wave.number[axis] = draws.normal() / correlation[axis];
        }
        wave.phase = 2 * std::numbers::pi * draws.uniform();
        waves_.push_back(wave);
    }
}

double RandomField::at(Point const& place) const {
    double sum = 0;
    for (auto const& wave : waves_) {
        sum += std::cos(wave.number[0] * place[0] + wave.number[1] * place[1] + wave.number[2] * place[2] + wave.phase);
    }
    return std::sqrt(2.0 / wave_count) * sum;
}

InputMaker::InputMaker(FileShape const& shape, InputSettings const& settings)
    : shape_(shape),
      settings_(settings),
      materials_(shape.count(), seed_of_sequence(settings.seed, 1)),
      permeabilities_(shape.count(), seed_of_sequence(settings.seed, 2)),
      field_(correlation_of(shape.box, settings.correlation), settings.seed) {}

std::uint64_t InputMaker::cell_at(Shuffle const& order, std::uint64_t place) const {
    return settings_.permuted ? order(place) : place;
}

double InputMaker::permeability(std::uint64_t cell) const {
    auto const where = cell_of(shape_.box.cells, cell);
    Point centre{};
    for (std::size_t axis = 0; axis < axes; ++axis) {
        centre[axis] = (static_cast<double>(where[axis]) + 0.5) * shape_.box.edges[axis];
    }
    return permeability_of(settings_.conductivity) * std::exp(settings_.spread * field_.at(centre));
}

std::uint64_t InputMaker::material(std::uint64_t cell) const {
    auto const height = static_cast<std::uint64_t>(shape_.box.cells[2]);
    return 1 + static_cast<std::uint64_t>(cell_of(shape_.box.cells, cell)[2]) * settings_.materials / height;
}

void InputMaker::fill(InputArray array, std::uint64_t first, std::span<std::byte> data) const {
    auto const& cells = shape_.box.cells;
    auto const region = array == InputArray::well     ? well_cells(cells)
                        : array == InputArray::source ? source_cells(cells)
                                                      : std::vector<Triple>();
    for (auto place = first; !data.empty(); ++place) {
        switch (array) {
            case InputArray::material_cells:
                put(data, static_cast<std::int32_t>(cell_at(materials_, place) + 1));
                break;
            case InputArray::materials:
                put(data, static_cast<std::int32_t>(material(cell_at(materials_, place))));
                break;
            case InputArray::cells:
                put(data, static_cast<std::int32_t>(cell_at(permeabilities_, place) + 1));
                break;
            case InputArray::permeability:
                put(data, permeability(cell_at(permeabilities_, place)));
                break;
            case InputArray::well:
            case InputArray::source:
                put(data, static_cast<std::int32_t>(index_of(cells, region.at(place)) + 1));
                break;
        }
    }
}

double conductivity_of(double permeability) { return permeability * water_density * gravity / water_viscosity; }
double permeability_of(double conductivity) { return conductivity * water_viscosity / (water_density * gravity); }

}  // namespace weir::aquifer
