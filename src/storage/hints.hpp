#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "core/json_fwd.hpp"
#include "storage/backend.hpp"

namespace weir {

/// A hint that no library can know, given beside those that were asked for: one that repeats it repeats everything, and
/// so does not tell what is in force. (Open MPI's ompio does.)
Hints with_canary(Hints asked);

/// Takes the canary out of what a library said; was it there?
bool take_canary(Hints& in_force);

/// What became of each hint asked for, as `sample` lines have it: its value in force and a state, "in force",
/// "changed", "ignored" (the library does not mention it), or "unproven" (it would repeat anything). Null if none was
/// asked for.
Json describe_hints_asked(Hints const& asked, Hints const& in_force, bool repeats_anything);

/// Adds a hint written as key, one of `separators`, value. Refuses what is no hint, or longer than MPI takes (Error,
/// usage); `where` begins the message.
void add_hint(Hints&, std::string_view text, std::string_view separators, std::string const& where);

/// The hints of a file's text, one a line, "key=value" or "key value"; '#' begins a comment. `name` is for messages.
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

/// The hints of an MPI_Info, which is freed.
Hints read_and_free(MPI_Info);

}  // namespace weir
