#pragma once

#include <string>
#include <vector>

#include "apps/common/run/run_figures.hpp"
#include "core/json.hpp"

namespace weir {

/// What a run tells of itself, besides what the kit measures of every run. Local.
class RunReport {
  public:
    virtual ~RunReport() = default;

    /// Its progress, besides the step: "time 0.5, dt 0.01".
    [[nodiscard]] virtual std::string standing(double /*compute_s*/) const { return {}; }

    /// Metrics besides the time of the run, from the figures of all ranks.
    [[nodiscard]] virtual std::vector<Metric> metrics(RunFigures const&) const { return {}; }

    /// Labels of all samples, such as its cells.
    [[nodiscard]] virtual Json labels() const { return Json::object(); }

    /// Adds details of the run that only its own figures use.
    virtual void complete(Json& /*details*/, RunFigures const&) const {}

    /// Warnings of the run, each with code, problem, why and advice.
    [[nodiscard]] virtual Json warnings() const { return Json::array(); }
};

}  // namespace weir
