#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "boost/facts.hpp"
#include "boost/file_view.hpp"
#include "boost/report.hpp"
#include "boost/team.hpp"
#include "boost/ways.hpp"

namespace weir::boost {

enum class Direction : bool { write, read };

/// A call's arguments; the offset in elementary types of the view.
struct Call {
    Direction direction;
    MPI_Offset offset;
    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Status* status;
    bool splits = false;  ///< its status is told by another call, at its end
};

/// A file that the program has opened on several ranks, beside MPI's own: its view, and a descriptor of this library on
/// the ranks that move its bytes. Members are collective where they do not say otherwise.
class OpenFile {
  public:
    /// `always`: takes over all that is understood.
    OpenFile(MPI_Comm comm, MPI_File file, char const* name, int mode, bool always);
    ~OpenFile();
    OpenFile(OpenFile const&) = delete;
    OpenFile& operator=(OpenFile const&) = delete;

    /// What the program has just set, and MPI has accepted. Local.
    void view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, char const* representation);
    void atomic(bool whether);

    [[nodiscard]] int rank() const { return ranks_.rank(); }

    /// Carries the call out on all ranks, or on none: then MPI must.
    bool carry_out(Call const& call);

    /// What MPI took for a call that was left to it. Local.
    void took(double seconds);

    /// Has a split call begun that has not ended? Local, as all about them.
    [[nodiscard]] bool is_split() const { return split_bytes_ || mpi_splits_; }
    /// MPI has begun one.
    void mpi_splits() { mpi_splits_ = true; }
    /// The end of one that this library has begun. False: there is none.
    bool end_split(MPI_Status* status);
    /// Is the next end MPI's, which has begun one? From now on it has not.
    bool take_mpi_split() { return std::exchange(mpi_splits_, false); }

    /// Where the file pointer is after this call was carried out at it. Local.
    [[nodiscard]] MPI_Offset behind(Call const& call) const;

    /// What this rank has written for calls is on the device then; false: not all of it. Local.
    bool sync();

  private:
    [[nodiscard]] Facts facts_of(Call const& call, std::optional<Datatype> const& type) const;
    [[nodiscard]] Way choose(Facts const& all, bool writes);
    [[nodiscard]] Left carry_out_or(Call const& call);
    void ask_again();
    int move_mine(Request const& request, Way way, bool writes, Facts const& all);
    bool move(Call const& call, Way way, TypeMap const& memory, Facts const& mine, Facts const& all);

    std::shared_ptr<Team> team_;
    Ranks const& ranks_;
    bool const always_;
    Ways ways_;
    bool timing_ = false;           ///< what the last call takes is of interest, and not known yet
    std::optional<double> last_s_;  ///< on this rank; the others have not been told
    FileView view_;
    Left view_left_ = Left::taken;  ///< why calls by this view are left to MPI, if they are
    bool atomic_ = false;
    std::optional<std::uint64_t> split_bytes_;  ///< of the split call that was carried out and has not ended
    bool mpi_splits_ = false;
    int descriptor_ = -1;
    bool unsynced_ = false;     ///< something was written by the descriptor since it was synced
    Left last_ = Left::taken;   ///< what became of the last call for which ranks asked each other
    std::uint64_t in_row_ = 0;  ///< of calls that were left to MPI
    std::uint64_t skip_ = 0;    ///< the next ones are left without asking
};

}  // namespace weir::boost
