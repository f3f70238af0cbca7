#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/quantity.hpp"
#include "pattern/pattern.hpp"

namespace weir {

enum class Layout { shared, file_per_process };
constexpr std::array<std::string_view, 2> enum_names(Layout) { return {"shared", "file-per-process"}; }
constexpr std::array<std::string_view, 2> enum_words(Layout) { return {"shared file", "file per process"}; }

enum class Offsets { sequential, strided, shuffled, random, random_partition };
constexpr std::array<std::string_view, 5> enum_names(Offsets) {
    return {"sequential", "strided", "shuffled", "random", "random-partition"};
}
constexpr std::pair<std::string_view, Offsets> enum_alias(Offsets) { return {"dealt", Offsets::random_partition}; }

enum class Readers { none, node, random };
constexpr std::array<std::string_view, 3> enum_names(Readers) { return {"none", "node", "random"}; }

enum class SyncWhen { close, write, never };
constexpr std::array<std::string_view, 3> enum_names(SyncWhen) { return {"close", "write", "never"}; }
constexpr std::array<std::string_view, 3> enum_words(SyncWhen) {
    return {"synced at close", "synced after each write", "not synced"};
}

/// What the time of a phase contains: also opening and closing its files, or only its requests and syncs.
enum class Timed { all, transfer };
constexpr std::array<std::string_view, 2> enum_names(Timed) { return {"all", "transfer"}; }

/// The unit stored as one dataset, in formats that have datasets.
enum class DatasetUnit { file, segment };
constexpr std::array<std::string_view, 2> enum_names(DatasetUnit) { return {"one", "segment"}; }

/// The parameters of the IOR model (Shan and Shalf 2007, section 4): a file is a sequence of segments, each with one
/// block per rank, each block written in transfers.
struct Parameters {
    std::uint64_t ranks = 1;
    std::uint64_t readers_shift = 1;  ///< with Readers::node: by so many ranks, which lead to another node
    Bytes block{16ULL << 20};
    Bytes transfer{1ULL << 20};
    bool divided = false;  ///< block and transfer are of all ranks together, which have equal shares
    std::uint64_t segments = 1;
    std::uint64_t files = 1;
    Layout layout = Layout::shared;
    DatasetUnit datasets = DatasetUnit::file;
    Offsets offsets = Offsets::sequential;
    bool write = true;
    bool read = true;
    bool check = false;
    bool mixed = false;
    std::uint64_t read_percent = 50;  ///< for the mixed phase
    bool collective = false;
    bool list_io = false;
    Pace pace{};
    Readers reorder = Readers::none;
    SyncWhen sync = SyncWhen::close;
    Timed timed = Timed::all;
    bool overwrite = false;  ///< a phase that is not timed writes the files first
    bool preallocate = false;
    Seconds time_limit{};
    bool wear_out = false;
    Seconds tail_limit{};  ///< for wear_out; 0: as long as time_limit
    std::uint64_t seed = 0;
};

/// Makes the pattern of these parameters: phases `write`, `read`, `mixed` and `check`, as requested. Refuses
/// contradictions (a transfer that does not divide the block, strided offsets in files of one process, ...) with Error
/// (usage).
Pattern make_pattern(Parameters const&);

}  // namespace weir
