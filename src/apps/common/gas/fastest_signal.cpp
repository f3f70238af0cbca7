#include "apps/common/gas/fastest_signal.hpp"

#include <algorithm>
#include <array>

#include "apps/common/gas/pencils.hpp"
#include "apps/common/gas/vector_code.hpp"

namespace weir::gas {
namespace {

/// The same, lane by lane.
WEIR_VECTOR_CODE void fastest(Fields const& f, Index n, double gamma, double* most) {
    for (Index first = 0; first + lanes <= n; first += lanes) {
        for (Index l = 0; l < lanes; ++l) {
            Index const q = first + l;
            double const u = __builtin_fabs(f.u[q]);
            double const v = __builtin_fabs(f.v[q]);
            double const w = __builtin_fabs(f.w[q]);
            double const uv = u > v ? u : v;
            double const speed = (uv > w ? uv : w) + __builtin_sqrt(gamma * f.p[q] / f.rho[q]);
            most[l] = speed > most[l] ? speed : most[l];
        }
    }
}

}  // namespace

double fastest_signal(Fields const& f, Index n, double gamma) {
    std::array<double, lanes> most{};
    fastest(f, n, gamma, most.data());
    // The last cells again, so that none is left out.
    auto const from = n - lanes;
    fastest({f.rho + from, f.u + from, f.v + from, f.w + from, f.p + from}, lanes, gamma, most.data());
    return *std::max_element(most.begin(), most.end());
}

}  // namespace weir::gas
