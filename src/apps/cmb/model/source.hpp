#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "storage/engine/data_source.hpp"

namespace weir::cmb {

/// The phases of a run: the signal's derivatives are made and written; the data's covariance D is inverted; each
/// derivative is read, multiplied by D^-1 and written; those products are read, and the spectrum's correction follows.
enum class Stage { signal, inverse, product, correction };
constexpr std::array<std::string_view, 4> enum_names(Stage) { return {"S", "D", "W", "C"}; }

/// What a rank writes, takes and computes in the phases of a run.
class PhaseSource : public DataSource {
  public:
    explicit PhaseSource(Clock& clock) : clock_(clock) {}

    /// Called before each phase, untimed. Collective.
    virtual void begin(Stage) { computing_s_ = 0; }

    bool compute(Compute const& step) final {
        auto const from_s = clock_.now_s();
        work(step);
        computing_s_ += clock_.now_s() - from_s;
        return true;
    }

    /// This rank's, in the current phase: computing, or busy work in its place.
    [[nodiscard]] double computing_s() const { return computing_s_; }

    /// dC, the correction of the spectrum by bins, once a run has computed it; none of busy work.
    [[nodiscard]] virtual std::vector<double> const& correction() const = 0;

  protected:
    virtual void work(Compute const&) = 0;

    [[nodiscard]] Clock& clock() const { return clock_; }

  private:
    Clock& clock_;
    double computing_s_ = 0;
};

}  // namespace weir::cmb
