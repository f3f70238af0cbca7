#pragma once

#include <weir/mark.h>

namespace weir {

/// A phase of the run for `weir trace`, as long as this lives; without the recorder, nothing. Local.
class MarkedPhase {
  public:
    explicit MarkedPhase(char const* name) : name_(name) { weir_mark_begin(name_); }
    ~MarkedPhase() { weir_mark_end(name_); }
    MarkedPhase(MarkedPhase const&) = delete;
    MarkedPhase& operator=(MarkedPhase const&) = delete;

  private:
    char const* name_;
};

}  // namespace weir
