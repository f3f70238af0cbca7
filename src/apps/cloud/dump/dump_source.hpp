#pragma once

#include "apps/cloud/dump/header.hpp"
#include "apps/cloud/dump/pictures.hpp"
#include "apps/cloud/state.hpp"
#include "storage/data_source.hpp"

namespace weir::cloud {

/// A state as the arrays of its dump, in single precision, and pictures of it; or a state that is filled from them.
class DumpSource final : public DataSource {
  public:
    /// To be written: `gamma` goes into the header, and pictures show these ranges.
    DumpSource(State const& state, double gamma, Ranges const& shown = {});

    /// To be read: header() and the fields of `state` are what was found.
    explicit DumpSource(State& state);

    void fill(Asked const&, Operation const&, std::span<std::byte>) override;
    void take(Asked const&, Operation const&, std::span<std::byte const>) override;

    /// The reals of the header that this rank has read.
    [[nodiscard]] std::array<float, 6> const& reals() const { return reals_; }

  private:
    State const& state_;
    State* target_ = nullptr;
    std::array<float, 6> reals_{};
    Ranges shown_{};
};

}  // namespace weir::cloud
