#pragma once

#include <vector>

#include "core/json.hpp"

namespace weir {

/// Takes the lines of results as they are finished.
class LineSink {
  public:
    virtual ~LineSink() = default;
    virtual void write(Json const& line) = 0;

    /// Have lines been lost? That is told by who has the sink, and is why a stop is requested.
    [[nodiscard]] virtual bool has_lost() const { return false; }
};

/// JSON Lines on standard output, each flushed at once, so that nothing finished is lost. Where a line cannot be
/// written, a stop is requested, since what cannot be written down must not be taken for measured.
class StandardOutputLines final : public LineSink {
  public:
    void write(Json const& line) override;
    [[nodiscard]] bool has_lost() const override { return lost_ != 0; }

    /// Writes text that is no line of results: help, which was asked for.
    void write_text(std::string_view rest);

    /// Why lines were lost, as errno has it; 0 where none was.
    [[nodiscard]] int lost() const { return lost_; }

  private:
    int lost_ = 0;
};

/// Takes nothing: for ranks other than 0.
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
