// Work model: the requests of a pattern of dumps. Bandwidth = bytes / the slowest rank's time in dumps, or in the
// restart.

#include "apps/common/run/application_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "apps/common/run/dump_room.hpp"
#include "bench/case_file.hpp"
#include "bench/enough_room.hpp"
#include "bench/made_files.hpp"
#include "bench/measure.hpp"
#include "bench/scratch_directory.hpp"
#include "bench/warm_up.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/own_file.hpp"
#include "core/proc.hpp"
#include "core/sentence.hpp"
#include "core/terminal_text.hpp"
#include "lowering/grouped.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/unwaited.hpp"

namespace weir {
namespace {

/// Without seeks: they are counted, but no call is made.
Json calls_of(Tally made) {
    made[IoCall::seek] = {};
    return calls_json(made);
}

Json labels(RunFigures const& run, Program const& program) {
    auto json = program.labels();
    if (run.library) {
        json["method"] = to_text(*run.library);
    } else if (!run.backend.empty()) {
        json["collective"] = run.collective;
    }
    if (run.grouping) {
        auto const by_node = run.grouping->by == GroupBy::node;
        json["read_group"] = by_node ? Json("node") : Json(run.grouping->read);
        json["write_group"] = by_node ? Json("node") : Json(run.grouping->write);
        json["group_requests"] = to_text(run.grouping->requests);
    }
    return json;
}

/// Transfers of one direction that were timed together.
struct Transfers {
    std::string phase;
    IoCall call;
    Amount const& asked;
    Tally const& made;
    double elapsed_s;
};

Sample transfer_sample(RunFigures const& run, Program const& program, std::uint64_t repetition,
                       Transfers const& transfers) {
    auto const reads = transfers.call == IoCall::read;
    auto const elapsed_s = transfers.elapsed_s;
    auto const calls = calls_of(transfers.made);
    auto const operations = calls.is_null() ? transfers.asked.operations : transfers.made[transfers.call].count;
    auto const bytes = transfers.asked.bytes;
    Json common{{"phase", transfers.phase},
                {"started_at", reads ? run.started_at : run.dumping_at},
                {"ranks", run.ranks},
                {"backend", run.backend},
                {"bytes", bytes},
                {"bytes_written", reads ? 0 : bytes},
                {"bytes_read", reads ? bytes : 0},
                {"operations", operations},
                {"elapsed_s", elapsed_s},
                {"calls", calls}};
    if (!reads) {
        common.update(to_json(run.hints));
    }
    auto const rate = operation_rate(static_cast<double>(operations), elapsed_s);
    return {
        repetition, std::move(common), {bandwidth(static_cast<double>(bytes), elapsed_s), rate}, labels(run, program)};
}

}  // namespace

Sample read_sample(RunFigures const& run, Program const& program, std::uint64_t repetition) {
    return transfer_sample(run, program, repetition, {"read", IoCall::read, run.to_read, run.read, run.read_s});
}

Sample write_sample(RunFigures const& run, Program const& program, std::uint64_t repetition) {
    auto sample =
        transfer_sample(run, program, repetition, {"write", IoCall::write, run.to_write, run.written, run.write_s});
    sample.details["dumps"] = run.dumps;
    if (run.parts.empty()) {
        sample.details["costs"] = to_json(run.costs, run.format);
    }
    return sample;
}

Sample part_sample(RunFigures const& run, PartFigures const& part, Program const& program, std::uint64_t repetition,
                   IoCall call) {
    auto sample = transfer_sample(run, program, repetition, {part.name, call, part.asked, part.made, part.elapsed_s});
    if (call == IoCall::read) {
        return sample;
    }
    sample.details["dumps"] = run.dumps;
    sample.details["costs"] = to_json(part.costs, run.format);
    if (part.file_bytes) {
        sample.metrics.push_back(
            {"file_bytes", static_cast<double>(*part.file_bytes), "B", "size of the file", Better::lower});
    }
    return sample;
}

Sample run_sample(RunFigures const& run, Program const& program, std::uint64_t repetition) {
    Json common{{"phase", "run"}, {"started_at", run.started_at}, {"ranks", run.ranks}, {"elapsed_s", run.elapsed_s}};
    if (!run.backend.empty()) {
        common["backend"] = run.backend;
    }
    std::vector<Metric> metrics{elapsed_time(run.elapsed_s)};
    std::ranges::move(program.metrics(run), std::back_inserter(metrics));
    auto details = labels(run, program);
    details.update({{"steps", run.steps}, {"dumps", run.dumps}, {"io", account_of_files(run)}});
    program.complete(details, run);
    return {repetition, std::move(common), std::move(metrics), std::move(details), program.warnings()};
}

namespace {

constexpr std::uint64_t most_steps = std::uint64_t{1} << 40;

/// Is the file that a restart reads one that each dump replaces?
bool leaves_restart(DumpPlan const& plan) {
    auto const file = std::get<Open>(plan.restart.front()).file;
    return plan.lasting.at(file) && written_by(plan).at(file);
}

}  // namespace

void DumpRules::check_in_the_way(std::filesystem::path const& path, DumpStrategy const&) const {
    if (is_there(path)) {
        throw Error({"'" + path.string() + "' already exists, and is not touched", "this run has not made it",
                     "Move it away, or name another directory with dir.", ExitCode::cannot_run});
    }
}

std::uint64_t RestartRules::step_of(RestartFile const&) const {
    expect(reads_input(), "an application that continues from restarts knows their steps");
    return 0;
}

ApplicationJob::ApplicationJob(std::unique_ptr<Application> application)
    : application_(std::move(application)),
      strategy_(application_->usual().method, application_->usual().backend),
      steps_(application_->usual().steps),
      dump_every_(application_->usual().dump_every) {}

void ApplicationJob::declare(OptionSet& options) {
    options.group("run");
    options.add("steps", steps_,
                application_->reads_input() ? "time steps" : "time steps, counted from the restart if there is one",
                {std::uint64_t{0}, most_steps});
    application_->declare(options);
    options.group("dumps");
    options.add("dump_every", dump_every_, "dump after each step that is a multiple of this; 0: never",
                {std::uint64_t{0}, most_steps});
    strategy_.declare(options);
    options.add("dir", directory_, "the directory for dumps", Outside{Reach::directory});
    options.add("keep", keep_, "keep the files of the last repetition; earlier repetitions use a temporary directory");
    options.add("check_space", check_space_,
                "refuse dumps that do not fit into the free space; not for a file system that packs data");
    options.add("foreign_folder", foreign_folder_,
                "let root keep files in a directory that belongs to another user, or that links of others lead to",
                Outside{Reach::protection});
    if (application_->reads_input()) {
        options.add("input", restart_, "the input file that the run begins with; none: it is made before, not counted",
                    Outside{Reach::input});
    } else {
        options.add("restart", restart_, "begin with this restart file, of a run of the same problem",
                    Outside{Reach::input});
        options.add(
            "restarted", restarted_,
            "begin with a restart, as the paper's runs did: from the initial state, written before and not counted");
    }
    options.group("measuring");
    measuring_.declare(options);
    options.add("emit_pattern", emit_pattern_,
                "print the pattern of the run's I/O, for weir replay, instead of running");
    options.add("pattern_ranks", pattern_ranks_,
                "of a pattern printed without a launcher: its ranks; 0: as many as "
                "the other options say, or 1",
                {std::uint64_t{0}, std::uint64_t{1} << 20U});
    strategy_.declare_own(options);
}

void ApplicationJob::validate_choices(std::uint64_t ranks) const {
    validate(restart_.empty() || !restarted_, "restart and restarted contradict each other",
             fmt::format("a run begins with '{}' or with its own initial state", restart_),
             "Leave out one of the two.");
    strategy_.validate_choice(ranks, reads());
    application_->validate_choices(ranks, has_files() && strategy_.library() == DumpMethod::two_phase);
    if (has_files()) {
        auto const files = plan(ranks);
        validate(!reads() || !files.restart.empty(), "this application begins with no restart", "it only writes",
                 "Leave restart and restarted out.");
        validate(!restarted_ || leaves_restart(files), "restarted contradicts this application",
                 "its dumps do not leave a restart under a name that stays", "Name a restart file with restart.");
        application_->validate_backend(strategy_.kind());
        auto asked = files.shape;
        asked.phases = {phase_of("dump", strategy_.collective() ? files.dump : each_alone(files).dump)};
        strategy_.check_files(asked);
        check_count(files);
    }
}

/// A pattern lists every file, so their number is bounded.
void ApplicationJob::check_count(DumpPlan const& plan) const {
    constexpr std::uint64_t most = 100'000;
    auto const dumps = usual_times(steps_).count();
    auto const each = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ranges::count(plan.lasting, false)));
    validate(dumps <= most / each, fmt::format("{} dumps are too many", dumps),
             fmt::format("they have {} files of their own, and a run may make {}", dumps * each, most),
             "Take fewer steps, or a larger dump_every.");
}

void ApplicationJob::look_at_restart(std::uint64_t ranks, Communicator const& comm) const {
    if (restart_.empty()) {
        return;
    }
    std::vector<std::byte> outline;
    run_together(comm, [&] {
        if (comm.is_root()) {
            Pattern of_run;
            of_run.ranks = ranks;
            auto const strategy = strategy_.strategy(of_run);
            outline = application_->outline_of(RestartFile(restart_, strategy));
        }
    });
    auto bytes = outline.size();
    comm.broadcast(std::as_writable_bytes(std::span(&bytes, 1)));
    outline.resize(bytes);
    comm.broadcast(outline);
    application_->know(outline);
}

DumpTimes ApplicationJob::times(DumpPlan const& plan) const {
    auto times = usual_times(steps_);
    if (!restart_.empty()) {
        auto const strategy = strategy_.strategy(requests_of(plan));
        RestartFile const file(restart_, strategy);
        times.first = application_->step_of(file);
        times.numbered = application_->dumps_before();
        validate(times.first <= most_steps, fmt::format("{} is no restart file", restart_),
                 fmt::format("it says that it is of step {}", times.first), "Name a file that a dump has left.");
        file.check_arrays(plan.shape.files[std::get<Open>(plan.restart.front()).file].arrays);
    }
    if (dump_every_ > 0) {
        application_->check_last_step(times.first + steps_);
    }
    return times;
}

/// With the two-phase library, its lowered requests; else the arrays themselves.
Pattern ApplicationJob::pattern(DumpPlan const& files, DumpTimes const& times) const {
    auto const asked = pattern_of_dumps(strategy_.collective() ? files : each_alone(files), times, reads());
    return as_made(files, asked);
}

Pattern ApplicationJob::as_made(DumpPlan const& files, Pattern const& asked) const {
    if (has_files() && strategy_.library()) {
        return lowered(asked, lowering_for(*strategy_.library(), asked));
    }
    auto const grouping = has_files() ? strategy_.grouping(requests_of(files)) : std::nullopt;
    auto const is_known = grouping && grouping->by == GroupBy::count;  // nodes are, in a launch
    return is_known ? grouped(asked, *grouping) : asked;
}

std::uint64_t ApplicationJob::memory_bytes(std::uint64_t ranks) const {
    auto bytes = application_->memory_bytes(ranks);
    if (has_files()) {
        auto const files = plan(ranks);
        auto const once = pattern_of_dumps(files, {0, 1, 1}, true);
        auto const buffer = largest_request(once);
        bytes += buffer + most_unwaited(once) + strategy_.strategy(requests_of(files)).backend->memory_bytes(buffer);
    }
    return bytes;
}

void ApplicationJob::check_memory(std::uint64_t ranks, std::uint64_t ranks_of_node) const {
    auto const wanted = memory_bytes(ranks);
    auto const free = available_memory();
    if (free && wanted > free->value / ranks_of_node) {
        throw Error({fmt::format("the run of {} does not fit into memory", plan(ranks).shape.name),
                     fmt::format("each rank needs {} MiB, and {} MiB are free for each of {} on a node", wanted >> 20U,
                                 (free->value / ranks_of_node) >> 20U, ranks_of_node),
                     "Make the run smaller, or take more nodes.", ExitCode::cannot_run});
    }
}

Pattern ApplicationJob::pattern_of_run(std::uint64_t ranks) const {
    validate_choices(ranks);
    look_at_restart(ranks, {});
    auto const files = plan(ranks);
    auto const dumps = times(files);
    auto plans = application_->plans(ranks, strategy_.name(), dumps);
    if (plans.empty()) {
        return pattern(files, dumps);
    }
    if (!strategy_.collective()) {
        std::ranges::transform(plans, plans.begin(), each_alone);
    }
    return as_made(files, pattern_of_dumps(plans, dumps, reads()));
}

Json ApplicationJob::describe(std::uint64_t ranks) {
    validate_choices(ranks);
    look_at_restart(ranks, {});
    auto const files = plan(ranks);
    auto const dumps = times(files);
    auto const asked = pattern(files, dumps);
    auto sums = totals(asked);
    sums.bytes_on_disk += files.grows_by * (std::max<std::uint64_t>(1, dumps.count()) - 1);
    auto told = to_json(sums);
    told["cached_bytes"] = sums.bytes_on_disk;
    told["memory_bytes_per_rank"] = memory_bytes(ranks);
    return {{"totals", std::move(told)}, {"pattern", to_json(asked)}};
}

/// Assumes a restart of step 0: to know its step, every rank would have to open it, a request that is not part of the
/// run. Invalid options are refused before memory is touched for them.
/// Of the first dump: the others' is touched when the program has taken its memory (warm_page_cache).
CacheFill ApplicationJob::cache_fill(std::uint64_t ranks) {
    validate_choices(ranks);
    check_memory(ranks, 1);
    if (checks_space()) {
        refuse_more_room({directory_}, room_of_run(plan(ranks), usual_times(steps_)), RoomOf::whole);
    }
    return {bytes_left(plan(ranks), usual_times(std::min(steps_, dump_every_)), reads())};
}

std::optional<Json> ApplicationJob::document(std::optional<std::uint64_t> ranks) {
    if (!emit_pattern_) {
        return {};
    }
    validate(!strategy_.groups_by_node(), "emit_pattern contradicts group_by = node",
             "the requests depend on the ranks of each node in a launch", "Give the number of ranks of a group.");
    auto const without_launch = pattern_ranks_ > 0 ? pattern_ranks_ : application_->own_ranks();
    auto const asked = pattern_of_run(ranks.value_or(without_launch));
    validate(!asked.phases.empty(), "this run has no pattern", "it reads no restart and makes no dump",
             "Take as many steps as dump_every at least, or begin with a restart.");
    return to_json(asked);
}

void ApplicationJob::check_directories(JobContext const& context) const {
    run_together(context.comm, [&] {
        auto const others = foreign_folder_ ? ForeignFolder::permitted : ForeignFolder::refused;
        check_directory(directory_, others, context.comm);
        if (keep_) {
            check_whose(directory_, others);
        }
    });
}

void ApplicationJob::run(JobContext& context) {
    refuse_pattern_in_case_file(emit_pattern_);
    validate_choices(context.comm.size());
    look_at_restart(context.comm.size(), context.comm);
    if (has_files()) {
        check_directories(context);
    }
    if (has_files() && keep_) {
        // Where files stay, repetitions have no directory of their own that would tell.
        ScratchDirectory(directory_, "weir-" + context.benchmark, context.comm).remove();
    }
    std::optional<DirectoryClaim> claim;
    std::optional<BegunFiles> begun;
    if (keep_ && (makes_restart() || dump_every_ > 0)) {
        claim.emplace(directory_, "weir-" + context.benchmark, context.benchmark, context.comm);
        begun.emplace(directory_, "weir-" + context.benchmark, context.comm);
    }
    measuring_.each(context.clock, [&](Turn const& turn) {
        if (!has_files() || (keep_ && turn.is_last)) {
            repeat(context, turn, {directory_, begun ? &*begun : nullptr});
        } else {
            repeat_apart(context, turn);
        }
    });
}

/// In a new directory, so that each repetition creates its files; removed afterwards.
void ApplicationJob::repeat_apart(JobContext& context, Turn const& turn) const {
    ScratchDirectory own(directory_, "weir-" + context.benchmark, context.comm);
    std::optional<Diagnosis> failure;
    keep_failure(failure, [&] { repeat(context, turn, {own.path()}); });
    keep_failure(failure, [&] { own.remove(); });
    throw_kept(failure);
}

DumpTimes ApplicationJob::times_of_all(DumpPlan const& plan, Communicator const& comm) const {
    DumpTimes found;
    run_together(comm, [&] {
        if (comm.is_root()) {
            found = times(plan);
        }
    });
    comm.broadcast(std::as_writable_bytes(std::span(&found, 1)));
    return found;
}

/// The restart's file is known, and may be replaced by a later one; so may files that runs have left there, or begun.
void ApplicationJob::check_in_the_way(std::filesystem::path const& path, DumpStrategy const& strategy,
                                      MadeFiles const* made, BegunFiles const* begun) const {
    std::error_code unknown;
    auto const is_restart = !restart_.empty() && !application_->reads_input() &&
                            std::filesystem::equivalent(path, restart_, unknown) && !unknown;
    auto const is_left = (made != nullptr && made->has_left(path)) || (begun != nullptr && begun->has_left(path));
    if (!is_restart && !is_left) {
        application_->check_in_the_way(path, strategy);
    }
}

bool ApplicationJob::checks_space() const { return check_space_ && has_files() && strategy_.kind().features().stores; }

/// Where dumps vary, the first one's: the others' room is looked at before each.
std::uint64_t ApplicationJob::room_of_run(DumpPlan const& plan, DumpTimes const& times) const {
    auto const first = DumpTimes{0, std::min<std::uint64_t>(times.count(), 1), 1};
    return bytes_left(plan, application_->dumps_vary() ? first : times, makes_restart());
}

void ApplicationJob::refuse_without_room(DumpPlan const& plan, DumpTimes const& times,
                                         std::filesystem::path const& directory) const {
    std::vector<DumpNumber> dumps;
    for (std::uint64_t dump = 0; dump < times.count(); ++dump) {
        dumps.push_back({times.step_of(dump), times.before() + dump});
    }
    refuse_dumps_without_room(plan, room_of_run(plan, times), directory, dumps);
}

void ApplicationJob::repeat(JobContext& context, Turn const& turn, FilesOfRepetition const& place) const {
    auto const& comm = context.comm;
    auto const node = comm.node();
    run_together(comm, [&] { check_memory(comm.size(), node.size()); });
    if (!has_files()) {
        carry_out(context, turn, nullptr, {}, {0, steps_, 0});
        return;
    }
    auto const asked = plan(comm.size());
    auto const times = times_of_all(asked, comm);
    std::optional<MadeFiles> noted;
    if (!application_->knows_its_files()) {
        noted.emplace(place.directory, "weir-" + context.benchmark, comm);
    }
    auto const* const made = noted ? &*noted : nullptr;
    DumpWriter files(
        asked, strategy_.strategy(requests_of(asked), comm),
        [&](std::filesystem::path const& path, DumpStrategy const& strategy) {
            check_in_the_way(path, strategy, made, place.begun);
        },
        comm, place.directory, context.clock);
    if (place.begun != nullptr) {
        files.before_making([&](std::filesystem::path const& path) { place.begun->expect(path); });
    }
    if (dump_every_ > 0) {
        files.check_places(times);
    }
    if (checks_space()) {
        run_together(comm, [&] {
            if (comm.is_root()) {
                refuse_without_room(asked, times, place.directory);
            }
        });
        files.before_dump([&](DumpPlan const& plan, DumpNumber const& dump) {
            refuse_dumps_without_room(plan, room_of_dump(plan), place.directory, {dump});
        });
    }
    std::optional<Diagnosis> failure;
    auto const note = [&] {
        if (noted) {
            noted->add(files.take_made());
        }
    };
    keep_failure(failure, [&] { carry_out(context, turn, &files, note, times); });
    keep_failure(failure, note);
    throw_kept(failure);
}

/// A program that has taken its memory may have taken what was touched before.
void ApplicationJob::warm_page_cache(JobContext& context, DumpTimes const& times) const {
    auto const& comm = context.comm;
    auto const bytes = bytes_left(plan(comm.size()), times, reads());
    warm_memory(comm, share_of_node(bytes, comm.node().size(), comm.size()), context.clock);
}

/// If a run fails, its finished parts are reported.
void ApplicationJob::carry_out(JobContext& context, Turn const& turn, DumpWriter* files, OneRun::Note const& note,
                               DumpTimes const& times) const {
    auto const& comm = context.comm;
    if (makes_restart()) {
        files->dump_restart(*application_->start(comm, false));
        files->forget();
        note();
    }
    auto const program = application_->start(comm, reads());
    if (files != nullptr) {
        warm_page_cache(context, times);
    }
    Progress progress(place_for_progress(context), context.clock);
    OneRun one(*program, files, note, comm, context.clock, progress);
    auto const file = restart_.empty() ? std::nullopt : std::optional<std::filesystem::path>(restart_);
    std::optional<Diagnosis> failure;
    keep_failure(failure, [&] { one.run({reads(), file}, times); });
    if (turn.repetition) {
        auto figures = one.figures();
        figures.backend = has_files() ? strategy_.name() : "";
        figures.library = strategy_.library();
        figures.collective = strategy_.collective();
        figures.grouping = has_files() ? strategy_.grouping(requests_of(plan(comm.size()))) : std::nullopt;
        figures.format = !strategy_.kind().features().raw;
        report(context, *turn.repetition, figures, *program, !failure);
    }
    throw_kept(failure);
}

void ApplicationJob::report(JobContext& context, std::uint64_t repetition, RunFigures const& figures,
                            Program const& program, bool is_whole) const {
    auto const write = [&](Sample const& sample) { context.lines.write(sample_line(context, sample)); };
    if (figures.has_read) {
        write(read_sample(figures, program, repetition));
        for (auto const& part : figures.read_parts) {
            write(part_sample(figures, part, program, repetition, IoCall::read));
        }
    }
    if (figures.dumps > 0) {
        write(write_sample(figures, program, repetition));
        for (auto const& part : figures.parts) {
            write(part_sample(figures, part, program, repetition, IoCall::write));
        }
    }
    if (!is_whole) {
        return;
    }
    auto const whole = run_sample(figures, program, repetition);
    write(whole);
    for (auto const& warning : whole.warnings) {
        if (context.comm.is_root()) {
            say("warning: " + sentence(warning["problem"].get<std::string>(), warning["why"].get<std::string>(),
                                       warning["advice"].get<std::string>()));
        }
    }
}

}  // namespace weir
