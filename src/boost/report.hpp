#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace weir::boost {

/// Why a collective call was left to MPI.
enum class Left : std::uint8_t {
    taken,       ///< it was not
    quicker,     ///< MPI is expected to be as quick
    empty,       ///< no rank moves a byte
    unknown,     ///< a view, type or mode that is not understood
    failed,      ///< an error, or the end of the file: MPI tells it
    other_call,  ///< non-blocking or ordered
    never,       ///< the settings say so
    count
};

/// What was done for this process's program so far.
struct Tally {
    std::array<std::uint64_t, static_cast<std::size_t>(Left::count)> calls{};
    std::uint64_t pieces = 0;    ///< contiguous ones in the file of calls that were taken over
    std::uint64_t requests = 0;  ///< made for them
    double taken_s = 0;          ///< in calls that were taken over
    double left_s = 0;           ///< in those left to MPI, and in finding that out
    double around_s = 0;         ///< in opens, views and closes
    // Independent calls are MPI's.
    std::uint64_t independent = 0;
    std::uint64_t independent_bytes = 0;
    double independent_s = 0;
};

Tally& tally();

/// Adds to one of its numbers, which other threads may do at the same time. Local.
template <class Number>
void count(Number& counter, Number more) {
    std::atomic_ref(counter).fetch_add(more, std::memory_order_relaxed);
}

/// A collective call, once for all ranks of its file: by the first of them.
inline void count_call(Left how, int rank) {
    count(tally().calls[static_cast<std::size_t>(how)], std::uint64_t{rank == 0 ? 1U : 0U});
}

/// Adds the time of a block.
class Timed {
  public:
    explicit Timed(double& total) : total_(total), began_(PMPI_Wtime()) {}
    ~Timed() { count(total_, PMPI_Wtime() - began_); }
    Timed(Timed const&) = delete;
    Timed& operator=(Timed const&) = delete;

  private:
    double& total_;
    double began_;
};

/// Says on standard error of rank 0 what all ranks did, and what this library did not reach; also writes it where
/// WEIR_BOOST_REPORT names a folder. Collective over MPI_COMM_WORLD.
void report();

/// Says once that the program has another MPI than this library was built for. Local.
void report_other_mpi();

}  // namespace weir::boost
