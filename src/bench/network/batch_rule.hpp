#pragma once

#include <cstdint>
#include <span>

namespace weir {

/// The interval of a median between two of `count` sorted values: counted from the least and from the greatest, the
/// `rank`-th; 0: so few values have none. It misses the median with at most the probability `error`, whatever the
/// distribution.
std::uint64_t interval_rank(std::uint64_t count, double error);

/// How many calls a batch has, and when there are enough batches. A batch is what IMB calls a sample: many calls, of
/// which the mean counts. The result is the median of the batches, which one disturbed batch hardly moves.
///
/// Batches go on until the interval of their median is narrower than `precision` of it, or the time is used up. The
/// interval is looked at after 16, 32, 64, ... batches only, and its error of 5 % is spread over these looks: it holds
/// when one stops (the idea of docs/adr/0034).
struct BatchRule {
    double precision = 0.01;  ///< full width of the interval / median
    double budget_s = 0.05;
    std::uint64_t most = 512;

    /// IMB: min(1000, 40 MiB / message size), at least 1. Beyond 10 not more than a millisecond of them, at `call_s`
    /// each, so that what else runs disturbs few batches; and not more than an eighth of the time allows.
    [[nodiscard]] std::uint64_t calls(std::uint64_t bytes, double call_s) const;

    /// Whether these batches suffice, after this time.
    [[nodiscard]] bool enough(std::span<double const> batches, double elapsed_s) const;

    /// The relative width of the interval of the median; infinite without one.
    [[nodiscard]] static double width(std::span<double const> batches, double error);
};

}  // namespace weir
