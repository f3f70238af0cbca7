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
    auto const pattern = make_pattern({.ranks = 100'000,
                                       .block = Bytes{1000 * 1024},
                                       .transfer = Bytes{1024},
                                       .segments = operations / 1000,
                                       .offsets = offsets});
    auto const& access = std::get<Access>(pattern.phases.at(0).steps.at(1));
    std::uint64_t sum = 0;
    auto const rate = median_of(11, [&] {
        auto const time = seconds([&] {
            Operations all(access, Rank{777});
            for (Operation o; all.next(o);) {
                sum += o.offset;
            }
        });
        return 1e-6 * operations / time;
    });
    return report(fmt::format("enumeration, {} offsets (sum {:x})", to_text(offsets), sum & 0xff), rate,
                  "M operations/s", 20, Better::higher);
}

bool sum_up() {
    Parameters const p{
        .ranks = 100'000, .block = Bytes{1ULL << 30}, .transfer = Bytes{1024}, .segments = 1000, .check = true};
    std::uint64_t bytes = 0;
    auto const time =
        median_of(101, [&] { return 1e3 * seconds([&] { bytes += totals(make_pattern(p)).bytes_written; }); });
    return report(fmt::format("making a pattern of 100,000 ranks and its totals ({:x})", bytes & 0xff), time, "ms", 1,
                  Better::lower);
}

}  // namespace

int main() {
    bool met = sum_up();
    for (auto const offsets : {Offsets::sequential, Offsets::strided, Offsets::shuffled, Offsets::random}) {
        met = enumerate(offsets) && met;
    }
    return met ? 0 : 1;
}
