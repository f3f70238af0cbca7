#include "storage/storage_options.hpp"

#include <fmt/format.h>

#include <fstream>

#include "core/error.hpp"
#include "pattern/pattern_json.hpp"

namespace weir {
namespace {

std::vector<std::string> backend_names() {
    std::vector<std::string> names;
    for (auto const& [name, kind] : Backends::instance().items()) {
        names.push_back(name);
    }
    return names;
}

Json read_json_file(std::string const& path) {
    std::ifstream file(path);
    validate(file.good(), fmt::format("cannot read '{}'", path), "there is no such file, or it may not be read",
             "Check the path.");
    auto json = Json::parse(file, nullptr, false);
    validate(!json.is_discarded(), fmt::format("'{}' is not JSON", path), "it could not be parsed",
             "Check it with a JSON tool.");
    return json;
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
    options.add("block", p.block, "contiguous bytes of one rank in one segment", {8, {}});
    options.add("transfer", p.transfer, "bytes of one request; must divide the block", {8, {}});
    options.add("segments", p.segments, "segments in a file, each with one block of every rank", {1, {}});
    options.add("layout", p.layout, "one file for all ranks, or one for each");
    options.add("files", p.files, "files written in turn, each of the whole shape", {1, 1'000'000});
    options.add(
        "offsets", p.offsets,
        "order of a rank's requests: as they lie, interleaved with other ranks', shuffled, or drawn with replacement");
    options.add("tasks", tasks, "ranks that take part; 0 is all, the others sleep");
    options.add("pattern", pattern_file, "carry out this pattern (a JSON file) in place of the parameters above");
}

void StorageOptions::declare_phases(OptionSet& options) {
    auto& p = parameters;
    options.group("phases");
    options.add("write", p.write, "write the files, timed");
    options.add("read", p.read, "read them, timed");
    options.add("check", p.check, "read them and compare every word with what must have been written");
    options.add("reorder", p.reorder, "who reads: the writer, the rank one node further on, or any other rank");
    options.add("sync", p.sync,
                "when writing syncs, inside the timing: once before closing, after every request, or never");
    options.add("preallocate", p.preallocate, "reserve the files' space before writing");
    options.add("time_limit", p.time_limit, "begin no request later than this after the phase's start; 0 is no limit",
                {0.0, {}});
    options.add("wear_out", p.wear_out,
                "after the time limit, let all ranks go on to the most requests any of them had made");
    options.add("repetitions", repetitions, "how often to do it all", {1, {}});
    options.add("interval", interval, "pause between repetitions", {0.0, {}});
    options.add("seed", p.seed, "of random orders and of the words that are written");
    options.group("honesty");
    options.add("cache", cache, "before reading, keep the files in the page cache or drop them from it");
}

void StorageOptions::declare_interface(OptionSet& options) {
    options.group("interface");
    options.add("backend", backend, "the way to storage", backend_names());
    options.add("collective", parameters.collective, "all ranks make each request together");
    options.add("hint", hints, "a hint for the library, key=value; repeatable");
    options.add("dir", directory, "the directory to measure");
    options.add("keep", keep_files, "keep the files afterwards");
    for (auto const& [name, object] : backends_) {
        auto const before = options.options().size();
        options.group(name + " back-end");
        object->declare(options);
        for (auto i = before; i < options.options().size(); ++i) {
            options_of_backend_[name].push_back(options.options()[i].name);
        }
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
    auto const features = kind().features();
    auto const& p = parameters;
    validate(features.collective || !p.collective, fmt::format("collective contradicts backend = {}", backend),
             "its calls are independent", "Choose backend = mpiio, or leave collective out.");
    validate(features.hints || hints.empty(), fmt::format("hint contradicts backend = {}", backend),
             "it takes no hints", "Choose backend = mpiio, or leave the hints out.");
    validate(features.stores || !p.check, fmt::format("check contradicts backend = {}", backend), "it stores nothing",
             "Leave check out.");
    validate(!(p.collective && p.layout == Layout::file_per_process),
             "collective contradicts layout = file-per-process", "a file of one rank has nobody to be collective with",
             "Choose layout = shared, or leave collective out.");
    validate(!(features.collective && features.stores && p.sync == SyncWhen::write && p.time_limit.value > 0 &&
               p.layout == Layout::shared),
             fmt::format("sync = write with a time_limit contradicts backend = {}", backend),
             "syncing a shared file is collective there, and ranks would stop at different requests",
             "Choose sync = close.");
    for (auto const& [name, owned] : options_of_backend_) {
        for (auto const& option : owned) {
            validate(name == backend || declared_->is_default(option),
                     fmt::format("{} contradicts backend = {}", option, backend),
                     fmt::format("it is an option of the {} back-end", name),
                     fmt::format("Choose backend = {}, or leave {} out.", name, option));
        }
    }
    static_cast<void>(parse_hints());
}

Hints StorageOptions::parse_hints() const {
    Hints result;
    for (auto const& hint : hints) {
        auto const equals = hint.find('=');
        validate(equals != std::string::npos && equals > 0, fmt::format("hint '{}' is not key=value", hint),
                 "it has no key or no '='", "Write for example --hint cb_nodes=2.");
        result[hint.substr(0, equals)] = hint.substr(equals + 1);
    }
    return result;
}

std::uint64_t StorageOptions::tasks_of(std::uint64_t ranks) const {
    validate(tasks <= ranks, fmt::format("tasks = {} is more than the {} ranks", tasks, ranks), "a rank does one task",
             "Start more ranks, or lower tasks.");
    return tasks == 0 ? ranks : tasks;
}

Pattern StorageOptions::make_pattern(std::uint64_t ranks, std::uint64_t ranks_per_node) const {
    if (!pattern_file.empty()) {
        auto pattern = pattern_from_json(read_json_file(pattern_file));
        validate(pattern.ranks == ranks, fmt::format("the pattern is for {} ranks", pattern.ranks),
                 fmt::format("there are {}", ranks), "Start as many ranks, or set tasks.");
        return pattern;
    }
    auto p = parameters;
    p.ranks = ranks;
    p.ranks_per_node = ranks_per_node;
    return weir::make_pattern(p);
}

}  // namespace weir
