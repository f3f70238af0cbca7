#include "array/tuned.hpp"

#include <algorithm>
#include <thread>

namespace weir::performance {

std::string aggregators() { return std::to_string(std::max(1U, std::thread::hardware_concurrency())); }

Hints tuned_romio() {
    // Aggregators are at most the ranks. Without the list, at most one of them is on a node.
    return {{"cb_nodes", aggregators()}, {"cb_config_list", "*:" + aggregators()}, {"cb_buffer_size", "2097152"}};
}

Hints sieving_romio() {
    return {{"romio_cb_read", "disable"}, {"romio_cb_write", "disable"}, {"ind_rd_buffer_size", "524288"}};
}

}  // namespace weir::performance
