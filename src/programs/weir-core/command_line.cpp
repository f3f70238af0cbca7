#include "programs/weir-core/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <system_error>
#include <vector>

#include "bench/benchmark.hpp"
#include "core/error.hpp"
#include "core/join.hpp"
#include "core/json.hpp"
#include "core/option_facts.hpp"
#include "core/suggest.hpp"
#include "core/terminal_text.hpp"
#include "core/units.hpp"
#include "core/version.hpp"

namespace weir {
namespace {

/// Shows flags with their opposite as "--write, --no-write", instead of the library's notation.
class PlainFlags final : public CLI::Formatter {
  public:
    std::string make_option_name(CLI::Option const* option, bool positional) const override {
        auto name = CLI::Formatter::make_option_name(option, positional);
        constexpr std::string_view notation = "{false}";
        if (auto const at = name.find(notation); at != std::string::npos) {
            name.erase(at, notation.size());
        }
        return name;
    }
};

/// A benchmark's subcommand, with an option for each one that the benchmark declares.
struct Subcommand {
    CLI::App* app = nullptr;
    std::unique_ptr<Job> job;
    OptionSet options;
    std::map<std::string, std::vector<std::string>> words;  ///< by option, as given
    std::map<std::string, bool> flags;
    bool as_table = false;
};

std::string flag_name(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::string help_of(Option const& option) {
    auto text = option.help;
    if (!option.choices.empty()) {
        text += fmt::format(" ({})", join(option.choices, ", "));
    }
    if (option.type == OptionType::texts) {
        return text;
    }
    auto const value = option.type == OptionType::bytes ? format_bytes(Bytes{option.default_value.get<std::uint64_t>()})
                       : option.type == OptionType::seconds ? fmt::format("{:g}s", option.default_value.get<double>())
                       : option.default_value.is_string()   ? option.default_value.get<std::string>()
                                                            : json_text(option.default_value);
    return text + fmt::format(" [{}]", value);
}

void add_option(Subcommand& sub, Option const& option) {
    auto const name = flag_name(option.name);
    CLI::Option* added = nullptr;
    if (option.type == OptionType::boolean) {
        added = sub.app->add_flag(fmt::format("--{0},!--no-{0}", name), sub.flags[option.name], help_of(option));
    } else {
        added = sub.app->add_option("--" + name, sub.words[option.name], help_of(option));
        added->type_name(std::string(to_text(option.type)))->allow_extra_args(false);
        if (option.type != OptionType::texts) {
            added->multi_option_policy(CLI::MultiOptionPolicy::Throw)->expected(1);
        }
    }
    added->group(option.group);
}

std::unique_ptr<Subcommand> add_subcommand(CLI::App& app, Benchmark const& benchmark) {
    auto sub = std::make_unique<Subcommand>();
    sub->app = app.add_subcommand(std::string(benchmark.name()), std::string(benchmark.summary()));
    sub->job = benchmark.make_job();
    sub->job->declare(sub->options);
    for (auto const& option : sub->options.options()) {
        add_option(*sub, option);
    }
    sub->app->add_flag("--table,!--json", sub->as_table, "print a table, as on a terminal, or JSON Lines");
    return sub;
}

Case case_of(Subcommand& sub) {
    auto given = Json::object();
    for (auto const& option : sub.options.options()) {
        auto const& name = option.name;
        if (sub.app->count("--" + flag_name(name)) == 0) {
            continue;
        }
        if (option.type == OptionType::boolean) {
            sub.options.set(name, sub.flags.at(name));
        } else {
            auto const& words = sub.words.at(name);
            validate(std::none_of(words.begin(), words.end(), [](auto const& word) { return word.empty(); }),
                     fmt::format("--{} has no value", flag_name(name)), "it is empty, as what is not set gives",
                     "Give one, or leave the option out.");
            sub.options.set_words(name, words);
        }
        given[name] = option.get();
    }
    return {command_line_case, sub.app->get_name(), std::move(given), 1};
}

/// A word in place of a case file that is no file is a misspelt subcommand, if it is near one's name or looks like no
/// path.
void refuse_misspelt_subcommand(CLI::App const& app, std::string const& word) {
    std::error_code ignored;
    if (std::filesystem::exists(word, ignored)) {
        return;
    }
    std::vector<std::string> names;
    for (auto const* sub : app.get_subcommands([](CLI::App const*) { return true; })) {
        names.push_back(sub->get_name());
    }
    auto const meant = nearest_word(word, names);
    validate(meant.empty() && word.find_first_of("/.") != std::string::npos,
             fmt::format("there is neither a subcommand nor a case file '{}'", word), "",
             meant.empty() ? fmt::format("Choose one of: {}; or name a case file.", join(names, ", "))
                           : fmt::format("Did you mean `weir-core {}`?", meant));
}

/// Throws Error for the first option that no parser accepted.
void refuse_unknown_option(CLI::App& app) {
    auto const parsed = app.get_subcommands();
    auto const& asked = parsed.empty() ? app : *parsed.front();
    auto const command = parsed.empty() ? "weir-core" : "weir-core " + asked.get_name();
    std::vector<std::string> known;
    for (auto const* option : asked.get_options()) {
        for (auto const& name : option->get_lnames()) {
            known.push_back("--" + name);
        }
    }
    for (auto const& word : app.remaining(true)) {
        if (word.size() < 2 || word.front() != '-') {
            continue;
        }
        auto const option = word.substr(0, word.find('='));
        auto const meant = nearest_word(option, known);
        validate(false, fmt::format("there is no option '{}' of `{}`", option, command), "",
                 meant.empty() ? fmt::format("`{} --help` lists its options.", command)
                               : fmt::format("Did you mean '{}'?", meant));
    }
}

}  // namespace

Request parse_command_line(CLI::App& app, int argc, char** argv) {
    for (auto const* word : std::span(argv, static_cast<std::size_t>(argc))) {
        validate(is_utf8(word), fmt::format("'{}' cannot be written down", printable(word)),
                 "it holds bytes that are no UTF-8, and results are JSON",
                 "Give the file or directory another name, or a link with one.");
    }
    Request request;
    app.formatter(std::make_shared<PlainFlags>());
    app.set_version_flag("--version", std::string("weir-core ") + version);
    app.footer("Results are a table on a terminal, and JSON Lines elsewhere; start it under mpirun for several ranks.");
    app.add_option("file", request.file, "a case file (JSON) to run");
    auto* schema = app.add_subcommand("schema", "print what this weir-core can do, as JSON");
    auto* machine = app.add_subcommand("machine", "print this machine's topology and first-touch times, as JSON");
    auto* describe = app.add_subcommand("describe", "print what a case file would do, and run nothing");
    describe->add_option("file", request.file, "a case file (JSON)")->required();
    auto* expand =
        app.add_subcommand("expand", "print every operation of a pattern, in the order of each rank, as CSV");
    expand->add_option("file", request.file, "a pattern (JSON)")->required();
    expand->add_option("--rank", request.rank, "of this rank only");
    auto* prepare = app.add_subcommand("prepare", "print a pattern as it is replayed: scaled, its files made first");
    prepare->add_option("file", request.file, "a pattern (JSON)")->required();
    prepare->add_option("--ranks", request.ranks, "for this many ranks, by the rule that the pattern names");
    auto* simulate =
        app.add_subcommand("simulate", "carry a pattern out on a modelled machine, and print what it takes");
    simulate->add_option("file", request.file, "a machine, a pattern, and how they meet (JSON)")->required();
    prepare->add_flag("--gaps,!--no-gaps", request.gaps, "with what the program computes between its requests");
    std::vector<std::unique_ptr<Subcommand>> benchmarks;
    for (auto const& [name, benchmark] : Benchmarks::instance().items()) {
        benchmarks.push_back(add_subcommand(app, *benchmark));
    }
    app.require_subcommand(0, 1);
    try {
        app.parse(argc, argv);
    } catch (CLI::ExtrasError const&) {
        refuse_unknown_option(app);
        throw;
    }

    auto const file_given = app.get_option("file")->count() > 0;
    if (file_given && !app.get_subcommands().empty()) {
        throw CLI::ParseError("a case file and a subcommand at once: " + request.file, CLI::ExitCodes::ExtrasError);
    }
    if (file_given) {
        refuse_misspelt_subcommand(app, request.file);
    }
    for (auto const& sub : benchmarks) {
        if (sub->app->parsed()) {
            request.task = Task::run_case;
            request.one = case_of(*sub);
            if (sub->app->count("--table") > 0) {
                request.as_table = sub->as_table;
            }
        }
    }
    if (schema->parsed()) {
        request.task = Task::schema;
    } else if (machine->parsed()) {
        request.task = Task::machine;
    } else if (describe->parsed()) {
        request.task = Task::describe;
    } else if (expand->parsed()) {
        request.task = Task::expand;
    } else if (simulate->parsed()) {
        request.task = Task::simulate;
    } else if (prepare->parsed()) {
        request.task = Task::prepare;
    } else if (request.task == Task::run_file && request.file.empty()) {
        throw CLI::CallForHelp();
    }
    return request;
}

}  // namespace weir
