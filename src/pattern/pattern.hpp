#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pattern/phase.hpp"

namespace weir {

/// A file of the pattern: one for all ranks, or one of this name for each rank. Formats that hold datasets (HDF5,
/// netCDF) make one of each `dataset_bytes` of it; no request may cross from one to the next.
struct File {
    std::string name;
    bool per_rank = false;
    std::uint64_t dataset_bytes = 0;  ///< 0: the whole file is one
    std::vector<Array> arrays{};      ///< that it holds; formats make one dataset of each

    bool operator==(File const&) const = default;
};

/// How a pattern goes over to another number of ranks: not at all, each rank keeping its bytes (weak), or all together
/// keeping theirs (strong).
enum class Scaling { none, weak, strong };
constexpr std::array<std::string_view, 3> enum_names(Scaling) { return {"none", "weak", "strong"}; }

/// What a program asks of storage, as data: the one thing that generators and traces make, that the engine and the
/// simulator carry out, and that the analysis judges.
struct Pattern {
    std::string name;
    std::uint64_t ranks = 1;
    std::vector<File> files;
    std::vector<Phase> phases;
    Scaling scales = Scaling::none;
    std::vector<Partition> partitions{};  ///< of arrays over the ranks of an access

    bool operator==(Pattern const&) const = default;
};

/// An access of these ranks to an array of the pattern's file, each to its part.
Access access_to(Pattern const&, Verb, std::uint64_t file, std::uint64_t array, std::uint64_t partition, RankSet ranks);

/// Puts into each access what its indexes of an array and a partition name; indexes that name nothing are left.
void resolve(Pattern&);

/// The name, below the directory of a run, of the file that `rank` sees: "data", or "data.00000003".
std::string file_name(File const&, Rank);

/// Sums over all ranks, or of one. Of time-limited phases it is what they would do without their limit.
struct Totals {
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;  ///< read or checked
    std::uint64_t operations = 0;  ///< reads, writes and checks
    std::uint64_t opens = 0;
    std::uint64_t syncs = 0;
    std::uint64_t closes = 0;
    std::uint64_t files = 0;
    std::uint64_t bytes_on_disk = 0;

    bool operator==(Totals const&) const = default;
};

/// In closed form: takes time by the number of steps, not of ranks or operations, but for pieces that are listed.
Totals totals(Pattern const&);

/// The same for one rank; its bytes_on_disk are those of the files it has to itself, plus the shared ones.
Totals totals(Pattern const&, Rank);

/// One past the greatest byte of each file that is touched or reserved, in the order of Pattern::files.
std::vector<std::uint64_t> file_sizes(Pattern const&);

/// The largest request or message, in bytes: what a rank's buffer must hold.
std::uint64_t largest_request(Pattern const&);

/// The most that the phases' limits let the pattern take, without what opening, syncing and the last requests take;
/// nothing where a phase has no limit. A phase limited by an earlier one counts as long as that.
std::optional<Seconds> time_bound(Pattern const&);

/// Does any phase compare what it reads with what must have been written?
bool checks_words(Pattern const&);

/// Refuses a pattern that cannot be carried out: names that lead out of the directory, steps on files that their phase
/// has not opened, offsets below 0 or beyond 2^63, limits that contradict each other. Throws Error (usage).
void validate_pattern(Pattern const&);

}  // namespace weir
