#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"

namespace weir {

/// A key whose value is the median of samples.
struct SummaryResult {
    std::string key;
    double value = 0;
    std::size_t count = 0;  ///< of samples
    std::string rules;
    std::string marks;  ///< a failed check, and the codes of warnings: ", fits-in-cache"
};

/// Writes lines "key=value" from the samples of one phase at a time, as `hpccoutf.txt` has them; -1 where there are
/// none. Refers to the samples. All local.
class SummaryLines {
  public:
    /// A key of samples whose check failed; in the summary only.
    static constexpr auto const* wrong = "wrong";

    explicit SummaryLines(std::vector<Json> const& samples) : samples_(samples) {}

    void text(std::string_view key, std::string_view value);
    void number(std::string_view key, double value);

    /// The phase that the next values are of.
    SummaryLines& of(std::string phase) {
        phase_ = std::move(phase);
        return *this;
    }

    /// The phase of the star form of a test, or of the single one where only that ran.
    SummaryLines& of_either(std::string const& series, std::string const& test);

    /// The median of a metric, in `unit` of its own; also one of the results.
    void metric(std::string_view key, std::string_view name, double unit = 1);

    /// The median of a detail that is a number.
    void detail(std::string_view key, std::string const& pointer);

    /// A detail of the last sample of the phase.
    [[nodiscard]] std::optional<Json> found(std::string const& pointer) const;

    /// Those with a sample for which this holds.
    [[nodiscard]] std::vector<std::string> phases_with(std::function<bool(Json const&)> const& holds) const;

    [[nodiscard]] std::string const& all() const { return text_; }
    [[nodiscard]] std::vector<SummaryResult> const& results() const { return results_; }

  private:
    [[nodiscard]] std::vector<Json const*> of_phase() const;
    [[nodiscard]] Json const* last() const;  ///< of the phase; null without one
    [[nodiscard]] std::string marks() const;

    std::vector<Json> const& samples_;
    std::string phase_;
    std::string text_;
    std::vector<SummaryResult> results_;
};

/// Whether its check failed.
[[nodiscard]] bool is_wrong(Json const& sample);

}  // namespace weir
