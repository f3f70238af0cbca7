#pragma once

#include "apps/cmb/model/source.hpp"

namespace weir::cmb {

/// The I/O mode: busy work in place of computing, and bytes without meaning.
class BusySource final : public PhaseSource {
  public:
    using PhaseSource::PhaseSource;

    /// What is in the engine's memory is as good: a program writes from memory that it has.
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override {}
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override {}

    [[nodiscard]] std::vector<double> const& correction() const override { return none_; }

  private:
    void work(Compute const& step) override { clock().compute(step.time); }

    std::vector<double> none_;
};

}  // namespace weir::cmb
