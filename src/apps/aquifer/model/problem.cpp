#include "apps/aquifer/model/problem.hpp"

namespace weir::aquifer {

std::vector<double> rates(Block const& block, std::vector<Well> const& wells) {
    std::vector<double> rates(block.count());
    for (auto const& well : wells) {
        if (auto const own = block.own(well.cell)) {
            rates[*own] += well.rate;
        }
    }
    return rates;
}

}  // namespace weir::aquifer
