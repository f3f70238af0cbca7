// How fast patterns are summed and enumerated.

#include "core/enum_names.hpp"
#include "pattern/operations.hpp"
#include "pattern/parametric.hpp"
#include "performance/measure.hpp"

using namespace weir;
using performance::Better;
using performance::median_of;
using performance::report;
using performance::seconds;

namespace {

bool enumerate(Offsets offsets) {
    constexpr std::uint64_t operations = 20'000'000;
    Parameters p;
    p.ranks = 100'000;
    p.transfer = Bytes{1024};
    p.block = Bytes{1000 * p.transfer.value};
    p.segments = operations / 1000;
    p.offsets = offsets;
    auto const pattern = make_pattern(p);
    auto const& access = std::get<Access>(pattern.phases.at(0).steps.at(1));
    std::vector<double> rates;
    std::uint64_t sum = 0;
    for (int i = 0; i < 11; ++i) {
        auto const time = seconds([&] {
            Operations all(access, Rank{777});
            for (Operation o; all.next(o);) {
                sum += o.offset;
            }
        });
        rates.push_back(1e-6 * operations / time);
    }
    return report(fmt::format("enumeration, {} offsets (sum {:x})", to_text(offsets), sum & 0xff), median_of(rates),
                  "M operations/s", 20, Better::higher);
}

bool sum_up() {
    Parameters p;
    p.ranks = 100'000;
    p.segments = 1000;
    p.block = Bytes{1ULL << 30};
    p.transfer = Bytes{1024};
    p.check = true;
    std::vector<double> times;
    std::uint64_t bytes = 0;
    for (int i = 0; i < 101; ++i) {
        times.push_back(1e3 * seconds([&] { bytes += totals(make_pattern(p)).bytes_written; }));
    }
    return report(fmt::format("making a pattern of 100,000 ranks and its totals ({:x})", bytes & 0xff),
                  median_of(times), "ms", 1, Better::lower);
}

}  // namespace

int main() {
    bool met = sum_up();
    for (auto const offsets : {Offsets::sequential, Offsets::strided, Offsets::shuffled, Offsets::random}) {
        met = enumerate(offsets) && met;
    }
    return met ? 0 : 1;
}
