#include "storage/storage_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "pattern/pattern_json.hpp"

namespace weir {
namespace {

constexpr double longest_s = 1e6;

std::vector<std::string> backend_names() {
    std::vector<std::string> names;
    for (auto const& [name, kind] : Backends::instance().items()) {
        names.push_back(name);
    }
    for (auto const& [name, reason] : left_out_backends()) {
        names.push_back(name);  // so that who asks for it is told the reason
    }
    return names;
}

/// Refuses a pattern whose words could not be stamped: they are 8 bytes, at multiples of 8.
void refuse_odd_places(Access const& access) {
    constexpr std::uint64_t word = 8;
    auto const odd = [](auto const& level) { return level.stride % static_cast<std::int64_t>(word) != 0; };
    auto const odd_piece = [](Piece const& piece) { return piece.offset % word != 0 || piece.length % word != 0; };
    auto const& extent = access.extent;
    auto const whole = extent.start % word == 0 && extent.length % word == 0 &&
                       std::none_of(extent.levels.begin(), extent.levels.end(), odd) &&
                       std::none_of(access.rank_levels.begin(), access.rank_levels.end(), odd) &&
                       std::none_of(access.lists.all().begin(), access.lists.all().end(), odd_piece);
    validate(whole, "the pattern checks what it reads, but has an odd offset or length",
             "words are stamped and compared in 8 bytes",
             "Make offsets, strides and lengths multiples of 8, or leave checking out.");
}

/// The whole of a text file that the user names.
std::string read_file(std::string const& path) {
    std::ifstream file(path);
    validate(file.good(), fmt::format("cannot read '{}'", path), "there is no such file, or it may not be read",
             "Check the path.");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

StorageOptions::StorageOptions() {
    for (auto const& [name, kind] : Backends::instance().items()) {
        backends_.emplace(name, kind->make());
    }
}

void StorageOptions::declare_shape(OptionSet& options) {
    auto& p = parameters;
    options.group("shape");
    options.add("block", p.block, "contiguous bytes of one rank in one segment", {std::uint64_t{8}, {}});
    options.add("transfer", p.transfer, "bytes of one request; must divide the block", {std::uint64_t{8}, {}});
    options.add("segments", p.segments, "segments in a file, each with one block of every rank",
                {std::uint64_t{1}, {}});
    options.add("layout", p.layout, "one file for all ranks, or one for each");
    options.add("files", p.files, "files written in turn, each of the whole shape",
                {std::uint64_t{1}, std::uint64_t{10'000}});
    options.add(
        "offsets", p.offsets,
        "order of a rank's requests: as they lie, interleaved with other ranks', shuffled, drawn with replacement, or "
        "dealt: each piece of the file to one rank, as an irregular decomposition does");
    options.add("together", p.together, "make all pieces of a rank one request, where they do not lie side by side");
    options.add("tasks", tasks, "ranks that take part; 0 is all, the others sleep");
    options.add("pattern", pattern_file, "carry out this pattern (a JSON file) in place of the parameters above");
}

void StorageOptions::declare_phases(OptionSet& options) {
    auto& p = parameters;
    options.group("phases");
    options.add("write", p.write, "write the files, timed");
    options.add("read", p.read, "read them, timed");
    options.add("mixed", p.mixed, "read and write them in turn, timed, after the phases above");
    options.add("read_percent", p.read_percent, "of each 100 requests of the mixed phase, so many read",
                {std::uint64_t{0}, std::uint64_t{100}});
    options.add("check", p.check, "read them and compare every word with what must have been written");
    options.add("reorder", p.reorder, "who reads: the writer, the rank one node further on, or any other rank");
    options.add("sync", p.sync,
                "when writing syncs, inside the timing: once before closing, after every request, or never");
    options.add("preallocate", p.preallocate, "reserve the files' space before writing");
    options.add("time_limit", p.time_limit, "begin no request later than this after the phase's start; 0 is no limit",
                {0.0, longest_s});
    options.add("wear_out", p.wear_out,
                "after the time limit, let all ranks go on to the most requests any of them had made");
    options.add("tail_limit", p.tail_limit, "let wear_out last no longer than this after the limit; 0: as long as it",
                {0.0, longest_s});
    options.add("think_time", p.pace.think, "pause of each rank after each request", {0.0, longest_s});
    options.add("rate", p.pace.most_per_second, "bytes a second of each rank at most; 0 is no limit");
    options.add("warm_up", warm_up, "do it all so often before, unrecorded");
    options.add("repetitions", repetitions, "how often to do it all", {std::uint64_t{1}, {}});
    options.add("interval", interval, "pause between repetitions", {0.0, longest_s});
    options.add("seed", p.seed, "of random orders and of the words that are written");
    options.group("honesty");
    options.add("cache", cache, "before reading, keep the files in the page cache or drop them from it");
}

void StorageOptions::declare_interface(OptionSet& options) {
    options.group("interface");
    options.add("backend", backend, "the way to storage", backend_names());
    options.add("collective", parameters.collective, "all ranks make each request together");
    options.add("hint", hints, "a hint for the library, key=value; repeatable");
    options.add("hint_file", hint_file, "a file of hints, each on a line: key=value, or key value");
    options.add("dir", directory, "the directory to measure");
    options.add("also_dir", more_directories, "a further directory, over which files are spread too; repeatable");
    options.add("keep", keep_files, "keep the files afterwards");
    options.group("record");
    options.add("latencies", latencies,
                "which requests are timed: all from 64 KiB on and one in 13 below, all, or none");
    options.add("detail", detail, "also record the times of each rank, or of each rank and each request");
    options.add("most_requests", most_records,
                "of detail = requests: record no more than so many of each rank and phase",
                {std::uint64_t{1}, std::uint64_t{10'000'000}});
    for (auto const& [name, object] : backends_) {
        OptionSet own;
        own.group(name + " back-end");
        object->declare(own);
        for (auto const& option : own.options()) {
            owners_of_option_[option.name].push_back(name);
        }
        options.adopt(own);
    }
}

void StorageOptions::declare(OptionSet& options) {
    declare_shape(options);
    declare_phases(options);
    declare_interface(options);
    declared_ = &options;
}

BackendKind const& StorageOptions::kind() const {
    auto const* found = Backends::instance().find(backend);
    expect(found != nullptr, "the option's choices are the registered back-ends");
    return *found;
}

Backend& StorageOptions::chosen_backend() const { return *backends_.at(backend); }

void StorageOptions::validate_choices() const {
    if (auto const left_out = left_out_backends().find(backend); left_out != left_out_backends().end()) {
        throw Error({fmt::format("this build has no back-end {}", backend), left_out->second,
                     "Install what is missing and build again, or choose another back-end.", ExitCode::cannot_run});
    }
    auto const features = kind().features();
    auto const& p = parameters;
    validate(features.collective || !p.collective, fmt::format("collective contradicts backend = {}", backend),
             "its calls are independent", "Choose backend = mpiio, or leave collective out.");
    validate(!(p.collective && p.together) || features.pieces,
             fmt::format("together contradicts collective and backend = {}", backend),
             "it has no collective call that takes many pieces", "Choose backend = mpiio, or leave one of them out.");
    validate(features.hints || hint_file.empty(), fmt::format("hint_file contradicts backend = {}", backend),
             "it takes no hints", "Choose backend = mpiio, or leave the hints out.");
    validate(features.hints || hints.empty(), fmt::format("hint contradicts backend = {}", backend),
             "it takes no hints", "Choose backend = mpiio, or leave the hints out.");
    validate(features.stores || !p.check, fmt::format("check contradicts backend = {}", backend), "it stores nothing",
             "Leave check out.");
    validate(!(p.collective && p.layout == Layout::file_per_process),
             "collective contradicts layout = file-per-process", "a file of one rank has nobody to be collective with",
             "Choose layout = shared, or leave collective out.");
    for (auto const& [option, owners] : owners_of_option_) {
        auto const owned = std::find(owners.begin(), owners.end(), backend) != owners.end();
        validate(owned || declared_->is_default(option), fmt::format("{} contradicts backend = {}", option, backend),
                 fmt::format("it is an option of the {} back-end", fmt::join(owners, " and the ")),
                 fmt::format("Choose backend = {}, or leave {} out.", owners.front(), option));
    }
    if (!pattern_file.empty()) {
        refuse_options_beside_pattern();
    }
    static_cast<void>(parse_hints(""));
}

std::string StorageOptions::read_hint_file() const { return hint_file.empty() ? "" : read_file(hint_file); }

Hints StorageOptions::parse_hints(std::string const& file_text) const {
    auto result = parse_hint_file(file_text, hint_file);
    for (auto const& hint : hints) {
        add_hint(result, hint, "=", fmt::format("hint '{:.40}'", hint));
    }
    return result;
}

std::uint64_t StorageOptions::tasks_of(std::uint64_t ranks) const {
    validate(tasks <= ranks, fmt::format("tasks = {} is more than the {} ranks", tasks, ranks), "a rank does one task",
             "Start more ranks, or lower tasks.");
    return tasks == 0 ? ranks : tasks;
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
    auto const features = kind().features();
    auto const checks = checks_words(pattern);
    validate(features.stores || !checks, fmt::format("checking contradicts backend = {}", backend), "it stores nothing",
             "Choose another back-end.");
    for (auto const& phase : pattern.phases) {
        validate(features.collective || !phase.collective,
                 fmt::format("the pattern's phase '{}' contradicts backend = {}", phase.name, backend),
                 "the phase is collective, and the back-end's calls are independent", "Choose backend = mpiio.");
        for (auto const& step : phase.steps) {
            if (auto const* access = std::get_if<Access>(&step)) {
                refuse_access(phase, *access, checks);
            }
        }
    }
}

void StorageOptions::refuse_access(Phase const& phase, Access const& access, bool checks) const {
    validate(!(phase.collective && access.together) || kind().features().pieces,
             fmt::format("the pattern's phase '{}' contradicts backend = {}", phase.name, backend),
             "it makes many pieces one collective request, and the back-end has no such call",
             "Choose backend = mpiio.");
    if (checks) {
        refuse_odd_places(access);
    }
}

std::string StorageOptions::read_pattern_file() const { return pattern_file.empty() ? "" : read_file(pattern_file); }

Pattern StorageOptions::make_pattern(std::uint64_t ranks, std::uint64_t ranks_per_node,
                                     std::string const& file_text) const {
    if (pattern_file.empty()) {
        auto p = parameters;
        p.ranks = ranks;
        p.ranks_per_node = ranks_per_node;
        return weir::make_pattern(p);
    }
    auto const json = Json::parse(file_text, nullptr, false);
    validate(!json.is_discarded(), fmt::format("'{}' is not JSON", pattern_file), "it could not be parsed",
             "Check it with a JSON tool.");
    auto pattern = pattern_from_json(json, std::filesystem::path(pattern_file).parent_path());
    validate(pattern.ranks == ranks, fmt::format("the pattern is for {} ranks", pattern.ranks),
             fmt::format("there are {}", ranks), "Start as many ranks, or set tasks.");
    refuse_what_backend_cannot(pattern);
    return pattern;
}

}  // namespace weir
