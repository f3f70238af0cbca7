// Which options contradict each other, or the chosen back-end.

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/option_facts.hpp"
#include "pattern/loops.hpp"
#include "storage/storage_options.hpp"

namespace weir {
void StorageOptions::validate_choices() const {
    backend.validate_choice();
    auto const features = backend.kind().features();
    auto const& p = parameters;
    validate(features.collective || !p.collective, fmt::format("collective contradicts backend = {}", backend.name()),
             "its calls are independent", "Choose backend = mpiio, or leave collective out.");
    validate(!(p.collective && p.together) || features.pieces,
             fmt::format("together contradicts collective and backend = {}", backend.name()),
             "it has no collective call that takes many pieces", "Choose backend = mpiio, or leave one of them out.");
    validate(features.hints || hint_file.empty(), fmt::format("hint_file contradicts backend = {}", backend.name()),
             "it takes no hints", "Choose backend = mpiio, or leave the hints out.");
    validate(features.hints || hints.empty(), fmt::format("hint contradicts backend = {}", backend.name()),
             "it takes no hints", "Choose backend = mpiio, or leave the hints out.");
    validate(features.stores || !p.check, fmt::format("check contradicts backend = {}", backend.name()),
             "it stores nothing", "Leave check out.");
    validate(!(p.collective && p.layout == Layout::file_per_process),
             "collective contradicts layout = file-per-process", "a file of one rank has nobody to be collective with",
             "Choose layout = shared, or leave collective out.");
    if (!pattern_file.empty()) {
        refuse_options_beside_pattern();
    }
    static_cast<void>(parse_hints(""));
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
    validate(!(collective && access.together && !access.part) || backend.kind().features().pieces,
             fmt::format("the pattern's phase '{}' contradicts backend = {}", phase.name, backend.name()),
             "it makes many pieces one collective request, and the back-end has no such call",
             "Choose backend = mpiio.");
}

}  // namespace weir
