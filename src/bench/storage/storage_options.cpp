#include "bench/storage/storage_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/option_facts.hpp"
#include "core/text_file.hpp"
#include "pattern/loops.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/scale.hpp"

namespace weir {
namespace {

constexpr double longest_s = 1e6;
constexpr std::uint64_t word = 8;  ///< stamps are this long
constexpr std::uint64_t most_pattern_ranks = std::uint64_t{1} << 20U;

}  // namespace

void StorageOptions::declare_shape(OptionSet& options) {
    auto& p = parameters;
    options.group("shape");
    options.add("block", p.block, "contiguous bytes of one rank in one segment", {std::uint64_t{0}, {}, word});
    options.words("block", {{"*", "{} a rank"}});
    options.add("transfer", p.transfer, "bytes of one request; must divide the block, or be 0 as the block is",
                {std::uint64_t{0}, {}, word});
    options.words("transfer", {{"*", "{} transfers"}});
    options.add("divided", p.divided, "block and transfer are of all ranks together, each of which has an equal share");
    options.add("segments", p.segments, "segments in a file, each with one block of every rank",
                {std::uint64_t{1}, {}});
    options.words("segments", {{"1", "1 segment"}, {"*", "{} segments"}});
    options.add("layout", p.layout, "one file for all ranks, or one for each");
    options.add(
        "datasets", p.datasets,
        "in formats with datasets (HDF5) or variables (netCDF): one for the complete file, or one for each segment");
    options.add("files", p.files, "files written in turn, each of the complete shape",
                {std::uint64_t{1}, std::uint64_t{10'000}});
    options.add(
        "offsets", p.offsets,
        "order of a rank's requests: contiguous, interleaved with other ranks', shuffled, drawn with replacement, or a "
        "random partition of the file's pieces among the ranks, as in an irregular decomposition");
    options.add("together", p.list_io, "list I/O: all pieces of a rank are one request, if they are not contiguous");
    options.add("tasks", tasks, "participating ranks; the others sleep; 0: all");
    options.add("pattern", pattern_file, "execute this pattern (a JSON file) instead of the parameters above",
                Outside{Reach::input});
}

void StorageOptions::declare_phases(OptionSet& options) {
    auto& p = parameters;
    options.group("phases");
    options.add("write", p.write, "write the files, timed");
    options.add("read", p.read, "read them, timed");
    options.add("mixed", p.mixed, "read and write them in turn, timed, after the phases above");
    options.add("read_percent", p.read_percent, "reads in each 100 requests of the mixed phase",
                {std::uint64_t{0}, std::uint64_t{100}});
    options.add("check", p.check, "read them and compare every word with the expected data");
    options.add("reorder", p.reorder,
                "which rank reads a part: its writer, the corresponding rank of the next node, or any other rank");
    options.add("sync", p.sync,
                "when writing syncs, inside the timing: once before closing, after every request, or never");
    options.add("timed", p.timed, "what is timed: also opening and closing files, or only requests and syncs");
    options.add("overwrite", p.overwrite,
                "write the files before, untimed, so that the timed writes replace their data");
    options.add("preallocate", p.preallocate, "reserve the files' space before writing");
    options.add("time_limit", p.time_limit, "begin no request later than this after the phase's start; 0 is no limit",
                {0.0, longest_s});
    options.add("wear_out", p.wear_out,
                "after the time limit, let all ranks continue to the largest number of requests of any rank");
    options.add("tail_limit", p.tail_limit,
                "let wear_out last no longer than this after the limit; 0: as long as the time limit",
                {0.0, longest_s});
    options.add("think_time", p.pace.think, "pause of each rank after each request", {0.0, longest_s});
    options.add("rate", p.pace.most_per_second, "most bytes per second of each rank; 0 is no limit");
    measuring.declare(options);
    options.add("seed", p.seed, "seed of random orders and of the written words");
    options.group("honesty");
    options.add("cache", cache, "before reading, keep the files in the page cache or drop them from it");
}

void StorageOptions::declare_interface(OptionSet& options) {
    options.group("interface");
    backend.declare(options, "the interface to storage");
    options.add("collective", parameters.collective, "issue each request collectively");
    hints.declare(options);
    options.add("dir", directory, "the directory to measure", Outside{Reach::directory});
    options.add("also_dir", more_directories, "a further directory among which files are distributed; repeatable",
                Outside{Reach::directory});
    options.add("keep", keep_files,
                "keep the files: move them into the directory afterwards, with notes of what was written");
    options.add("check_space", check_space,
                "refuse files that do not fit into the free space; not for a file system that packs data");
    options.add("foreign_folder", foreign_folder,
                "let root keep files in a directory that belongs to another user, or that links of others lead to",
                Outside{Reach::protection});
    options.group("record");
    options.add("latencies", latencies,
                "which requests are timed: all from 64 KiB on and one in 13 below, all, or none");
    options.add("detail", detail, "also record the times of each rank, or of each rank and each request");
    options.add("most_requests", most_records, "with detail = requests: the most requests to record per rank and phase",
                {std::uint64_t{1}, std::uint64_t{10'000'000}});
    options.add("emit_pattern", emit_pattern,
                "print the pattern of the run's I/O, for weir replay, instead of running");
    options.add("pattern_ranks", pattern_ranks, "of a pattern printed without a launcher: its ranks",
                {std::uint64_t{1}, most_pattern_ranks});
    backend.declare_own(options);
}

void StorageOptions::declare(OptionSet& options) {
    declare_shape(options);
    declare_phases(options);
    declare_interface(options);
    declared_ = &options;
}

std::uint64_t StorageOptions::tasks_of(std::uint64_t ranks) const {
    validate(tasks <= ranks, fmt::format("tasks = {} is more than the {} ranks", tasks, ranks), "a rank does one task",
             "Start more ranks, or lower tasks.");
    return tasks == 0 ? ranks : tasks;
}

std::string StorageOptions::read_pattern_file() const {
    return pattern_file.empty() ? ""
                                : read_named_file(pattern_file, fmt::format("'{}'", pattern_file), "Check the path.");
}

Pattern StorageOptions::make_pattern(std::uint64_t ranks, std::uint64_t readers_shift,
                                     std::string const& file_text) const {
    if (pattern_file.empty()) {
        auto p = parameters;
        p.ranks = ranks;
        p.readers_shift = readers_shift;
        return weir::make_pattern(p);
    }
    auto const json = parse_json(file_text);
    validate(!json.is_discarded(), fmt::format("'{}' is not JSON", pattern_file), "it could not be parsed",
             "Check it with a JSON tool.");
    auto pattern = pattern_from_json(json, std::filesystem::path(pattern_file).parent_path());
    if (pattern.scales != Scaling::none) {
        pattern = scaled(pattern, ranks);
    }
    validate(pattern.ranks == ranks, fmt::format("the pattern is for {} ranks", pattern.ranks),
             fmt::format("there are {}", ranks), "Start as many ranks, or set tasks.");
    refuse_what_backend_cannot(pattern);
    return pattern;
}

void StorageOptions::validate_choices() const {
    backend.validate_choice();
    auto const features = backend.kind().features();
    auto const& p = parameters;
    validate(features.collective || !p.collective, fmt::format("collective contradicts backend = {}", backend.name()),
             "its calls are independent", "Choose backend = mpiio, or leave collective out.");
    validate(!(p.collective && p.list_io) || features.pieces,
             fmt::format("together contradicts collective and backend = {}", backend.name()),
             "it has no collective call that takes many pieces", "Choose backend = mpiio, or leave one of them out.");
    validate(features.empty || p.block.value > 0, fmt::format("block = 0B contradicts backend = {}", backend.name()),
             "it makes no calls for requests without bytes", "Choose backend = mpiio, or a larger block.");
    hints.validate_choice(backend.kind());
    validate(features.stores || !p.check, fmt::format("check contradicts backend = {}", backend.name()),
             "it stores nothing", "Leave check out.");
    validate(!(p.collective && p.layout == Layout::file_per_process),
             "collective contradicts layout = file-per-process",
             "a file per process has no other ranks for a collective call",
             "Choose layout = shared, or leave collective out.");
    if (!pattern_file.empty()) {
        refuse_options_beside_pattern();
    }
}

void StorageOptions::refuse_options_beside_pattern() const {
    static constexpr std::array<std::string_view, 5> of_the_run{"pattern", "tasks", "repetitions", "interval", "seed"};
    auto const says_what = [](Option const& option) {
        return option.group == "shape" || option.group == "phases" || option.name == "collective";
    };
    for (auto const& option : declared_->options()) {
        auto const meant =
            !says_what(option) || std::find(of_the_run.begin(), of_the_run.end(), option.name) != of_the_run.end();
        validate(meant || declared_->is_default(option.name), fmt::format("{} contradicts pattern", option.name),
                 "the pattern file says it all", fmt::format("Leave {} out, or change the pattern.", option.name));
    }
}

void StorageOptions::refuse_what_backend_cannot(Pattern const& pattern) const {
    auto const features = backend.kind().features();
    auto const checks = checks_words(pattern);
    validate(features.stores || !checks, fmt::format("checking contradicts backend = {}", backend.name()),
             "it stores nothing", "Choose another back-end.");
    for (auto const& phase : pattern.phases) {
        validate(features.collective || !phase.collective,
                 fmt::format("the pattern's phase '{}' contradicts backend = {}", phase.name, backend.name()),
                 "the phase is collective, and the back-end's calls are independent", "Choose backend = mpiio.");
        each_access(phase.steps, [&](Access const& access, Loops const&) { refuse_access(phase, access); });
    }
}

void StorageOptions::refuse_access(Phase const& phase, Access const& access) const {
    auto const collective = phase.is_collective(access);
    validate(backend.kind().features().collective || !collective,
             fmt::format("the pattern's phase '{}' contradicts backend = {}", phase.name, backend.name()),
             "it has collective accesses, and the back-end's calls are independent", "Choose backend = mpiio.");
    validate(!(collective && access.list_io && !access.part) || backend.kind().features().pieces,
             fmt::format("the pattern's phase '{}' contradicts backend = {}", phase.name, backend.name()),
             "it makes many pieces one collective request, and the back-end cannot do that", "Choose backend = mpiio.");
}

}  // namespace weir
