#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/benchmark.hpp"
#include "core/clock.hpp"

namespace weir {

/// The progress of a run.
struct Standing {
    std::uint64_t step = 0;
    std::uint64_t last_step = 0;
    std::string words{};  ///< the application's text: "time 0.5"
};

/// "step 3 of 20, time 0.5". Local.
std::string to_line(Standing const&);

/// "2.5 million cells/s", for progress. Local.
std::string spell_rate(double cells_per_s);

/// Reports progress on standard error: on a terminal in one line, overwritten in place; elsewhere in a line for each
/// dump, and one every ten seconds between dumps. Local.
class Progress {
  public:
    enum class Where { nowhere, terminal, log };

    Progress(Where where, Clock const& clock) : where_(where), clock_(clock), said_s_(clock.now_s()) {}
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;
    ~Progress() { end(); }

    void tell(Standing const&, bool has_dumped);

    /// Any line in its place: "HPL: panel 3 of 20".
    void tell(std::string const& line);

    /// The same, also where another one has just been told: "test 3 of 18: ptrans".
    void tell_at_once(std::string const& line);

    /// Ends the line, so that other output can follow.
    void end();

  private:
    void show(std::string const& line, std::string_view more_in_log, bool is_due);

    Where where_;
    Clock const& clock_;
    double said_s_;
    bool open_ = false;
};

/// Where this process reports it: on a terminal; in a log if a user started the run by hand.
Progress::Where place_for_progress(JobContext const&);

}  // namespace weir
