#include "bench/machine_state.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir {

MachineState::MachineState(Communicator const& comm, Measure measure) : comm_(comm), measure_(std::move(measure)) {
    auto const node = comm.node();
    auto lists = node.all_gather(allowed_cpus());
    if (node.is_root()) {
        lists.push_back(lists.front());
        lists.push_back(bindable_cpus());
        cpus_ = cpus_of_two_cores(lists);
        why_ = cpus_ ? "" : "its processes may use one core only, or the machine does not tell its cores";
    }
}

Json MachineState::line() const {
    comm_.quiet_barrier();
    auto const found = cpus_ ? measure_(*cpus_) : HandOff{{}, why_};
    comm_.quiet_barrier();
    constexpr double none = -1e300;
    auto const slowest = comm_.max(found.one_way_ns.value_or(none));
    auto const fastest = -comm_.max(found.one_way_ns ? -*found.one_way_ns : none);
    auto const nodes = comm_.sum(std::uint64_t{found.one_way_ns ? 1U : 0U});
    Json line{{"schema", 1}, {"kind", "state"}, {"probed_at", utc_time()}, {"handoff_ns", nullptr}, {"why", nullptr}};
    line["cpus"] = cpus_ ? Json{cpus_->first, cpus_->second} : Json();
    if (nodes > 0) {
        line["handoff_ns"] = {{"max", slowest}, {"min", fastest}, {"nodes", nodes}};
    } else {
        auto const reasons = comm_.all_gather(found.why);
        line["why"] = *std::find_if(reasons.begin(), reasons.end(), [](auto const& why) { return !why.empty(); });
    }
    return line;
}

}  // namespace weir
