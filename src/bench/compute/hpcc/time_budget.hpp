#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "bench/compute/hpcc/hpcc_tests.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"

namespace weir {

/// Sizes of the tests that take a given time, from how long small ones take. The same on all ranks.
class TimeBudget {
  public:
    static constexpr std::uint64_t first_bytes = std::uint64_t{2} << 20U;  ///< of a rank, of the first try

    /// Begins now.
    TimeBudget(double budget_s, Clock const& clock, Communicator const& comm);

    /// Runs a test, and keeps how long it took on the slowest rank. Collective, like all that follow.
    void time(HpccTest const&, std::function<void()> const& run);

    /// For each plan of FFTW.
    [[nodiscard]] double planning_s() const { return 0.01 * budget_s_; }

    [[nodiscard]] bool knows(std::string const& test) const { return known_.contains(test); }

    /// After all tests with so many bytes of a rank.
    void tried(std::uint64_t bytes) {
        tried_bytes_ = bytes;
        ++tries_;
    }

    /// Whether they were so short that another try says more; `bytes` then gets its size. The first try is made twice:
    /// libraries are loaded in it, and memory is touched.
    [[nodiscard]] bool wants_larger(std::uint64_t& bytes, std::uint64_t most_bytes) const;

    /// Of a rank, for all tests, which leave HPL half of the time.
    [[nodiscard]] std::uint64_t bytes(std::uint64_t most_bytes) const;

    /// The order of HPL's matrix, for that share of the time that is left, within the memory.
    [[nodiscard]] std::uint64_t hpl_size(HpccSetting const&, std::uint64_t most_bytes, double share) const;

    [[nodiscard]] double share_used() const;

    /// Where the memory ends before the time does.
    [[nodiscard]] bool has_much_left() const;
    [[nodiscard]] bool has_time_for(std::string const& test) const;

  private:
    struct TimedTest {
        double took_s = 0;
        double growth = 1;
        std::uint64_t size = 0;  ///< the option `size`; 0: it has none
    };

    [[nodiscard]] double elapsed_s() const;
    [[nodiscard]] double expected_s(double times_the_bytes, bool with_hpl) const;

    double budget_s_;
    Clock const& clock_;
    Communicator comm_;
    double from_s_;
    std::uint64_t tried_bytes_ = 0;
    std::uint64_t tries_ = 0;
    std::map<std::string, TimedTest> known_;
};

}  // namespace weir
