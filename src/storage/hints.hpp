#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "core/json.hpp"
#include "storage/backend.hpp"

namespace weir {

/// Adds a hint that no library can know: a library that returns it returns every hint, and so does not show which are
/// in force. (Open MPI's ompio does.)
Hints with_canary(Hints asked);

/// Removes the canary from the hints of a library; was it there?
bool take_canary(Hints& in_force);

/// The state of each requested hint, as in `sample` lines: its value in force, and "in force", "changed", "ignored"
/// (the library does not mention it), or "unproven" (it returns any hint). Null if none was requested.
Json describe_hints_asked(Hints const& asked, Hints const& in_force, bool repeats_anything);

/// What became of hints: those in force, without the canary, and the state of each requested one.
struct HintsInForce {
    Hints all;
    Json asked;  ///< as describe_hints_asked()
};
HintsInForce hints_in_force(Hints const& asked, Hints reported);

/// Both under the keys of `sample` lines. Local.
Json to_json(HintsInForce const&);

/// Adds a hint written as key, one of `separators`, value. Refuses anything else, or longer than MPI allows (Error,
/// usage); `where` begins the message.
void add_hint(Hints&, std::string_view text, std::string_view separators, std::string const& where);

/// The hints of a file's text, one per line, "key=value" or "key value"; '#' begins a comment. `name` is for messages.
Hints parse_hint_file(std::string const& text, std::string const& name);

/// An MPI_Info with these hints that frees itself.
class MpiInfo {
  public:
    explicit MpiInfo(Hints const&);
    ~MpiInfo();
    MpiInfo(MpiInfo const&) = delete;
    MpiInfo& operator=(MpiInfo const&) = delete;
    [[nodiscard]] MPI_Info get() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

/// The hints of an MPI_Info; frees it.
Hints read_and_free(MPI_Info);

}  // namespace weir
