#include "lists/planning.hpp"

#include "lists/arrays.hpp"
#include "lists/counted_memory.hpp"
#include "lists/plain_exchange.hpp"
#include "lists/samples.hpp"

namespace weir::performance {
namespace {

double plan_seconds(Communicator const& comm, Decomposition const& list, int arrays, Described how) {
    PlanHandle plan;
    return slowest(comm, [&] { plan = SameLists(list, arrays, how).planned(comm); });
}

/// Bytes a piece, summed over all ranks: held by the plan, and at most while it was made.
struct Memory {
    double held, most;
};

Memory memory_of(Communicator const& comm, Decomposition const& list, int arrays, Described how) {
    auto const before = held_bytes();
    forget_most();
    auto const plan = SameLists(list, arrays, how).planned(comm);
    auto const pieces = static_cast<double>(comm.sum(list.offsets.size()));
    auto const held = comm.sum(held_bytes() - before);
    auto const most = comm.sum(most_held_bytes() - before);
    return {static_cast<double>(held) / pieces, static_cast<double>(most) / pieces};
}

void show_memory(std::string const& what, Memory const& memory) {
    fmt::print("{:58} {:10.4g} held, {:.4g} at most while planning\n", what, memory.held, memory.most);
}

}  // namespace

void measure_planning(Communicator const& comm, Decomposition const& list, int arrays, int repetitions) {
    std::vector<double> const values(static_cast<std::size_t>(list.held()), 1.0);
    std::vector<double> plain;
    std::vector<double> one;
    std::vector<double> each;
    std::vector<double> once;
    for (int i = 0; i <= repetitions; ++i) {
        plain.push_back(slowest(comm, [&] { exchange_plainly(comm, list, values); }));
        one.push_back(plan_seconds(comm, list, 1, Described::each));
        each.push_back(plan_seconds(comm, list, arrays, Described::each));
        once.push_back(plan_seconds(comm, list, arrays, Described::once));
    }
    for (auto* samples : {&plain, &one, &each, &once}) {
        samples->erase(samples->begin());  // it warmed up
    }
    auto const memory_of_one = memory_of(comm, list, 1, Described::each);
    auto const memory_of_each = memory_of(comm, list, arrays, Described::each);
    auto const memory_of_once = memory_of(comm, list, arrays, Described::once);
    auto const pieces = comm.sum(list.offsets.size());
    if (!comm.is_root()) {
        return;
    }
    fmt::print("{} ranks, {} pieces, {} elements\n", comm.size(), pieces, list.elements);
    show("plain exchange of lists and data", median_of(plain), "s");
    show("description and plan of one array", median_of(one), "s");
    show("  times the plain exchange", median_of(ratios(one, plain)), "");
    show(fmt::format("the same of {} arrays, each described", arrays), median_of(each), "s");
    show("  times that of one", median_of(ratios(each, one)), "");
    show(fmt::format("the same of {} arrays, described once", arrays), median_of(once), "s");
    show("  times that of one", median_of(ratios(once, one)), "");
    show_memory("bytes a piece, one array", memory_of_one);
    show_memory(fmt::format("the same, {} arrays, each described", arrays), memory_of_each);
    show_memory(fmt::format("the same, {} arrays, described once", arrays), memory_of_once);
}

}  // namespace weir::performance
