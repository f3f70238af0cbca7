#pragma once

#include <vector>

#include "core/json.hpp"

namespace weir {

/// Receives the lines of results as they are finished.
class LineSink {
  public:
    virtual ~LineSink() = default;
    virtual void write(Json const& line) = 0;

    /// Have lines been lost? The owner of the sink reports that; a stop is then requested.
    [[nodiscard]] virtual bool has_lost() const { return false; }
};

/// JSON Lines on standard output, each flushed at once, so that no finished result is lost. If a line cannot be
/// written, requests a stop: results that cannot be recorded must not be measured further.
class StandardOutputLines final : public LineSink {
  public:
    void write(Json const& line) override;
    [[nodiscard]] bool has_lost() const override { return lost_ != 0; }

    /// Writes text other than result lines: requested help.
    void write_text(std::string_view rest);

    /// The errno with which lines were lost; 0 if none were.
    [[nodiscard]] int lost() const { return lost_; }

  private:
    int lost_ = 0;
};

/// Discards everything: for ranks other than 0.
class NoLines final : public LineSink {
  public:
    void write(Json const&) override {}
};

/// Keeps the lines, for tests.
class MemoryLines final : public LineSink {
  public:
    void write(Json const& line) override { lines.push_back(line); }
    std::vector<Json> lines;
};

}  // namespace weir
