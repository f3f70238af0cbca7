#pragma once

#include <optional>
#include <vector>

#include "apps/cloud/resolution.hpp"
#include "apps/cloud/simulation.hpp"
#include "apps/cloud/totals.hpp"
#include "apps/common/run/run_figures.hpp"
#include "bench/metric.hpp"

namespace weir::cloud {

/// Where a run violated Truelove's condition.
struct Unresolved {
    Peak peak;
    double time = 0;
    Index step = 0;
};

/// Results of a run besides the times and files of every application, over all ranks. Its members are local.
struct CloudFigures {
    Triple cells{};
    Triple ranks{};
    bool computes = false;
    Effort effort{};
    std::optional<Totals> before{}, after{};
    std::optional<Unresolved> unresolved{};

    [[nodiscard]] std::vector<Metric> metrics(RunFigures const&) const;
    void complete(Json& details, RunFigures const&) const;
    [[nodiscard]] Json warnings() const;
};

/// The "Communication" count of Thakur, Gropp, Lusk (1996) for two-phase I/O: for A arrays moved by P ranks, T = px py
/// of which hold the same planes, P A (P + T - 2), and one for each rank that has read a header. The paper does not
/// explain the P - T calls beyond 2 (T - 1) messages per rank and array; here nothing is sent for them. Local.
std::uint64_t communication_of_the_paper(Triple const& ranks, std::uint64_t arrays, std::uint64_t headers_read);

}  // namespace weir::cloud
