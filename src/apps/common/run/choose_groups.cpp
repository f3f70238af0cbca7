#include "apps/common/run/choose_groups.hpp"

namespace weir {

Grouping choose_groups(Pattern const& asked, GroupRequests requests) {
    return {.read = asked.ranks, .write = 1, .requests = requests};
}

}  // namespace weir
