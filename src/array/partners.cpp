#include "array/partners.hpp"

#include "array/window.hpp"

namespace weir::array {

Domain domain_of(Region const& region, Aggregation const& how, std::uint64_t index) {
    return domain_of(region.bytes(), how.aggregators.size(), index, how.align, how.window, how.phase);
}

std::vector<Partner> partners(Region const& region, Share const& share, Aggregation const& how) {
    std::vector<Partner> found;
    for (std::uint64_t i = 0; i < how.aggregators.size(); ++i) {
        auto const domain = domain_of(region, how, i);
        if (Window(region, {domain.begin, domain.end}, share).bytes() > 0) {
            found.push_back({how.aggregators[i], domain});
        }
    }
    return found;
}

}  // namespace weir::array
