#pragma once

#include <string>
#include <string_view>

#include "bench/line_sink.hpp"

namespace weir {

/// The results as a table for a person: a row a metric of a sample. Every row is flushed at once.
class TerminalTable final : public LineSink {
  public:
    explicit TerminalTable(StandardOutputLines& out) : out_(out) {}
    void write(Json const& line) override;
    [[nodiscard]] bool has_lost() const override { return out_.has_lost(); }

  private:
    StandardOutputLines& out_;
    bool has_heading_ = false;
};

/// A value of a metric in the unit that people read, with three digits: "2730 MiB/s", "21.3 ms", "5.00 Gflop/s";
/// `decimal`: bandwidths in GB/s.
std::string value_words(double value, std::string_view unit, bool decimal = false);

}  // namespace weir
