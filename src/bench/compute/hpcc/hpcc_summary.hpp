#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.hpp"

namespace weir {

/// The summary of HPCC's `hpccoutf.txt`: every key of HPCC 1.5.0 in its order and unit, so that programs that read it
/// go on to work.
class HpccSummary {
  public:
    /// A sample line of the benchmark `hpcc`.
    void add(Json const& sample) { samples_.push_back(sample); }

    [[nodiscard]] std::size_t count() const { return samples_.size(); }

    /// Those after the first `count` are of a test whose check failed.
    void mark_wrong_after(std::size_t count);

    /// The text of the file. Values are medians over the samples; -1 where nothing was measured or HPCC's own program
    /// has a setting that Weir has not. `success`: all tests ended and their results are right.
    [[nodiscard]] std::string text(std::uint64_t ranks, bool success) const;

    /// The main results for people, a line each: name, value with unit, kind of run, count of samples. Local.
    [[nodiscard]] std::vector<std::string> main_results(std::uint64_t ranks) const;

  private:
    std::vector<Json> samples_;
};

}  // namespace weir
