// What planning arrays of irregular pieces costs: time beside one plain exchange of lists and data, memory per piece,
// and how both grow with the number of arrays that have one list. The driver is tests/performance/array_lists.py.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>

#include "core/error.hpp"
#include "lists/counted_memory.hpp"
#include "lists/plain_exchange.hpp"
#include "performance/measure.hpp"
#include "weir/array.h"

using namespace weir;

namespace {

void checked(int code, weir_error const& error) {
    if (code != WEIR_OK) {
        throw Error({"the two-phase library failed", error.message, ""});
    }
}

/// How a program describes arrays that have one list.
enum class Described { each, once };

class SameLists {
  public:
    SameLists(performance::Decomposition const& list, int arrays, Described how)
        : arrays_(static_cast<std::size_t>(arrays)) {
        for (auto& array : arrays_) {
            array = how == Described::once && &array != arrays_.data() ? arrays_.front() : described(list);
        }
        described_ = how == Described::once ? 1 : arrays_.size();
    }
    SameLists(SameLists const&) = delete;
    SameLists& operator=(SameLists const&) = delete;
    ~SameLists() {
        for (std::size_t i = 0; i < described_; ++i) {
            weir_array_free(arrays_[i]);
        }
    }
    [[nodiscard]] weir_plan* planned(Communicator const& comm) const {
        weir_plan* plan = nullptr;
        weir_error error;
        checked(weir_plan_make(comm.handle(), static_cast<int>(arrays_.size()), arrays_.data(), "method=two_phase",
                               &plan, &error),
                error);
        return plan;
    }

  private:
    static weir_array* described(performance::Decomposition const& list) {
        weir_array* array = nullptr;
        weir_error error;
        checked(weir_array_pieces(list.elements, static_cast<std::int64_t>(list.offsets.size()), list.offsets.data(),
                                  list.lengths.data(), sizeof(double), &array, &error),
                error);
        return array;
    }

    std::vector<weir_array*> arrays_;
    std::size_t described_;
};

/// Of the slowest rank, from a barrier on.
template <class Work>
double slowest(Communicator const& comm, Work work) {
    comm.barrier();
    return comm.max(performance::seconds(work));
}

double plan_seconds(Communicator const& comm, performance::Decomposition const& list, int arrays, Described how) {
    weir_plan* plan = nullptr;
    auto const taken = slowest(comm, [&] { plan = SameLists(list, arrays, how).planned(comm); });
    weir_plan_free(plan);
    return taken;
}

/// Bytes a piece, summed over all ranks: held by the plan, and at most while it was made.
struct Memory {
    double held, most;
};

Memory memory_of(Communicator const& comm, performance::Decomposition const& list, int arrays, Described how) {
    auto const before = performance::held_bytes();
    performance::forget_most();
    auto* const plan = SameLists(list, arrays, how).planned(comm);
    auto const pieces = static_cast<double>(comm.sum(list.offsets.size()));
    auto const held = comm.sum(performance::held_bytes() - before);
    auto const most = comm.sum(performance::most_held_bytes() - before);
    weir_plan_free(plan);
    return {static_cast<double>(held) / pieces, static_cast<double>(most) / pieces};
}

void show(std::string const& what, performance::Median const& m, std::string const& unit) {
    fmt::print("{:58} {:10.4g} [{:.4g}, {:.4g}] {} (n = {})\n", what, m.value, m.low, m.high, unit, m.samples);
}

/// Sample by sample.
std::vector<double> ratios(std::vector<double> const& of, std::vector<double> const& to) {
    std::vector<double> all(of.size());
    std::transform(of.begin(), of.end(), to.begin(), all.begin(), std::divides());
    return all;
}

void show_memory(std::string const& what, Memory const& memory) {
    fmt::print("{:58} {:10.4g} held, {:.4g} at most while planning\n", what, memory.held, memory.most);
}

void measure(Communicator const& comm, performance::Decomposition const& list, int arrays, int repetitions) {
    std::vector<double> const values(static_cast<std::size_t>(list.held()), 1.0);
    std::vector<double> plain;
    std::vector<double> one;
    std::vector<double> each;
    std::vector<double> once;
    for (int i = 0; i <= repetitions; ++i) {
        plain.push_back(slowest(comm, [&] { performance::exchange_plainly(comm, list, values); }));
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
    using performance::median_of;
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

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("What planning arrays of irregular pieces costs, for scripts/bench array_lists");
    std::int64_t levels = 72;
    std::int64_t columns = 15868;
    int arrays = 50;
    int repetitions = 7;
    app.add_option("--levels", levels, "levels of the atmosphere");
    app.add_option("--columns", columns, "columns of each level");
    app.add_option("--arrays", arrays, "arrays with one list");
    app.add_option("--repetitions", repetitions, "an interval needs 6 at least");
    CLI11_PARSE(app, argc, argv);
    MpiSession const session(argc, argv);
    try {
        auto const comm = Communicator::world();
        measure(comm, performance::columns_at_random(comm, levels, columns), arrays, repetitions);
    } catch (Error const& error) {
        std::cerr << "error: " << error.what() << '\n';
        return static_cast<int>(error.diagnosis().exit_code);
    }
    return 0;
}
