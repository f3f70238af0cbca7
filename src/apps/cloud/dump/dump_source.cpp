#include "apps/cloud/dump/dump_source.hpp"

#include <algorithm>
#include <cstring>

#include "core/enum_names.hpp"
#include "core/error.hpp"

namespace weir::cloud {

DumpSource::DumpSource(State const& state, double gamma, Ranges const& shown)
    : state_(state),
      reals_(to_reals(
          {state.where().grid().cells, state.step, static_cast<float>(state.time), static_cast<float>(gamma)})),
      shown_(shown) {}

DumpSource::DumpSource(State& state) : state_(state), target_(&state) {}

void DumpSource::fill(Asked const& asked, Operation const&, std::span<std::byte> data) {
    auto const& array = asked.access.part->what;
    auto const index = asked.access.part->array;
    if (index == 0) {
        std::ranges::copy(std::as_bytes(std::span(reals_)), data.begin());
    } else if (array.element.bytes == 1) {
        auto const picture = from_text<Picture>(array.name, "a picture");
        std::span const cells(reinterpret_cast<std::uint8_t*>(data.data()), data.size());
        paint(state_, picture, shown_[static_cast<std::size_t>(picture)], cells);
    } else {
        auto const field = state_[static_cast<Variable>(index - 1)];
        std::span const numbers(reinterpret_cast<float*>(data.data()), data.size() / sizeof(float));
        std::ranges::transform(field, numbers.begin(), [](double x) { return static_cast<float>(x); });
    }
}

void DumpSource::take(Asked const& asked, Operation const&, std::span<std::byte const> found) {
    auto const index = asked.access.part->array;
    if (index == 0) {
        std::memcpy(reals_.data(), found.data(), std::min(found.size(), sizeof reals_));
    } else {
        expect(target_ != nullptr, "what is read goes into a state");
        std::span const numbers(reinterpret_cast<float const*>(found.data()), found.size() / sizeof(float));
        std::ranges::copy(numbers, (*target_)[static_cast<Variable>(index - 1)].begin());
    }
}

}  // namespace weir::cloud
