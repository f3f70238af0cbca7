#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pattern/data_memory.hpp"
#include "pattern/phase.hpp"

namespace weir {

/// A file of the pattern: one for all ranks, or one of this name per rank. Formats with datasets (HDF5, netCDF) store
/// every `dataset_bytes` of it as one; no request may cross from one to the next.
struct File {
    std::string name;
    bool per_rank = false;
    std::uint64_t dataset_bytes = 0;  ///< 0: the complete file is one
    std::vector<Array> arrays{};      ///< that it contains; formats store each as one dataset

    bool operator==(File const&) const = default;
};

/// How a pattern changes with the number of ranks: not at all, with constant bytes per rank (weak), or constant total
/// bytes (strong).
enum class Scaling { none, weak, strong };
constexpr std::array<std::string_view, 3> enum_names(Scaling) { return {"none", "weak", "strong"}; }

/// A program's storage requests as data: generators and traces make it, the engine and the simulator carry it out, and
/// the analysis judges it.
struct Pattern {
    std::string name;
    std::uint64_t ranks = 1;
    std::vector<File> files;
    std::vector<Phase> phases;
    Scaling scales = Scaling::none;
    std::vector<Partition> partitions{};  ///< of arrays over the ranks of an access
    std::vector<std::string> inexact{};   ///< why it is not exactly what the program requested; empty: it is
    DataMemory memory{};

    bool operator==(Pattern const&) const = default;
};

/// An access of these ranks to an array of the pattern's file, each to its part.
Access access_to(Pattern const&, Verb, std::uint64_t file, std::uint64_t array, std::uint64_t partition, RankSet ranks);

/// Copies the array and partition that an access refers to by index into it; invalid indexes are left.
void resolve(Pattern&);

/// The name, below the directory of a run, of the file that `rank` sees: "data", or "data.00000003".
std::string file_name(File const&, Rank);

/// Sums over all ranks, or of one. Time-limited phases count as without their limit.
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

/// In closed form: time grows with the number of steps, not of ranks or operations, except for listed pieces.
Totals totals(Pattern const&);

/// The same for one rank; its bytes_on_disk are those of its own files plus the shared ones.
Totals totals(Pattern const&, Rank);

/// One past the last byte of each file that is accessed or reserved, in the order of Pattern::files.
std::vector<std::uint64_t> file_sizes(Pattern const&);

/// The largest request or message, in bytes: the minimum size of a rank's buffer.
std::uint64_t largest_request(Pattern const&);

/// The upper bound of the pattern's time by its limits, without opening, syncing and the last requests; nothing if a
/// phase has no limit. A phase limited by an earlier one counts as that one.
std::optional<Seconds> time_bound(Pattern const&);

/// Does any phase compare what it reads with the expected words?
bool checks_words(Pattern const&);

/// Refuses a pattern that cannot be carried out: names outside the directory, steps on files that their phase has not
/// opened, offsets below 0 or beyond 2^63, contradictory limits. Throws Error (usage).
void validate_pattern(Pattern const&);

}  // namespace weir
