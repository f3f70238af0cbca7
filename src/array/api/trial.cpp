#include "array/api/trial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <span>

#include "array/api/dump.hpp"
#include "array/exchange/scoped_timer.hpp"
#include "array/planner/explain.hpp"

namespace weir::array {

namespace {

constexpr std::uint64_t MiB = 1 << 20;
constexpr std::size_t most_trials = 5;
/// A strategy whose cost is this many times the cheapest one's is not worth a trial.
constexpr double most_cost_ratio = 10;

/// The median without the first repetition, which touches memory for the first time, unless there is no other.
double median(std::vector<double> seconds, bool warm) {
    if (warm) {
        seconds.erase(seconds.begin());
    } else {
        seconds.resize(1);
    }
    std::ranges::sort(seconds);
    return seconds[seconds.size() / 2];
}

/// A smaller difference may be reversed in the next run.
constexpr double alike = 1.02;

/// The fastest trial in one direction, among those with these windows that the options allow; of equally fast ones the
/// first, since they are in order of preference.
struct Best {
    Trial const* trial = nullptr;
    double seconds = 0;
};

Best best_of(std::vector<Trial> const& trials, std::vector<Strategy> const& open, std::uint64_t window,
             std::vector<double> Trial::*direction, bool warm) {
    Best best;
    for (auto const& trial : trials) {
        bool const fits = trial.window == window || trial.strategy.method == Method::independent;
        if (!fits || (trial.*direction).empty() || std::ranges::find(open, trial.strategy) == open.end()) {
            continue;
        }
        auto const seconds = median(trial.*direction, warm);
        if (best.trial == nullptr || seconds * alike < best.seconds) {
            best = {&trial, seconds};
        }
    }
    return best;
}

/// Both directions have the same windows.
struct Pair {
    Best write, read;
    [[nodiscard]] bool complete() const { return write.trial != nullptr && read.trial != nullptr; }
    [[nodiscard]] double seconds() const { return write.seconds + read.seconds; }
};

std::string text_of(Pair const& pair, Choice const& choice) {
    return fmt::format("{}: {} to write and {} to read", text_of(choice), text_of_seconds(pair.write.seconds),
                       text_of_seconds(pair.read.seconds));
}

Choice choice_for(PlanFacts const& facts, PlanOptions options, Strategy const& write, Strategy const& read,
                  std::uint64_t window) {
    options.window = Bytes{window};
    return choice_of(facts, options, write, read);
}

}  // namespace

std::vector<Trial> worth_trying(PlanFacts const& facts, PlanOptions const& options) {
    std::vector<Trial> trials;
    auto const add = [&](Strategy const& strategy, std::uint64_t window) {
        bool const known = std::ranges::any_of(trials, [&](Trial const& t) {
            return t.strategy == strategy && (t.window == window || strategy.method == Method::independent);
        });
        if (!known && trials.size() < most_trials) {
            trials.push_back({strategy, window});
        }
    };
    auto const writing = strategies_by_cost(facts, options, Use::write);
    auto const reading = strategies_by_cost(facts, options, Use::read);
    auto const window = choice_of(facts, options, writing.front(), reading.front()).window;
    add(writing.front(), window);
    add(reading.front(), window);
    if (options.window.value == 0) {
        auto const other = window == 4 * MiB ? MiB / 2 : 4 * MiB;
        add(writing.front(), choice_for(facts, options, writing.front(), reading.front(), other).window);
    }
    auto const sizes = sizes_of(facts, options);
    auto const seconds = [&](Strategy const& strategy) { return cost_of(facts, Use::write, strategy, sizes).seconds; };
    for (auto const& strategy : writing) {
        if (seconds(strategy) <= most_cost_ratio * seconds(writing.front())) {
            add(strategy, window);
        }
    }
    return trials;
}

Choice fastest(PlanFacts const& facts, PlanOptions const& options, std::vector<Trial> const& trials,
               std::string const& where) {
    auto const tried = std::ranges::count_if(trials, [](Trial const& t) { return !t.read.empty(); });
    bool const warm = std::ranges::all_of(trials, [](Trial const& t) { return t.read.empty() || t.read.size() > 1; });
    auto const writing = strategies_by_cost(facts, options, Use::write);
    auto const reading = strategies_by_cost(facts, options, Use::read);
    Pair first;
    for (auto const& trial : trials) {
        Pair const pair{best_of(trials, writing, trial.window, &Trial::write, warm),
                        best_of(trials, reading, trial.window, &Trial::read, warm)};
        if (pair.complete() && (!first.complete() || pair.seconds() * alike < first.seconds())) {
            first = pair;
        }
    }
    // An independent strategy has no windows; the other direction's strategy sets them.
    auto const& speaker =
        first.write.trial->strategy.method == Method::independent ? *first.read.trial : *first.write.trial;
    auto choice = choice_for(facts, options, first.write.trial->strategy, first.read.trial->strategy, speaker.window);
    choice.why = fmt::format("{}, the fastest of {} for {}", text_of(first, choice), tried, where);

    Pair next;
    for (auto const& trial : trials) {
        bool const same =
            trial.strategy == choice.write && trial.strategy == choice.read && trial.window == speaker.window;
        if (!same && !trial.read.empty()) {
            Pair const pair{{&trial, median(trial.write, warm)}, {&trial, median(trial.read, warm)}};
            next = !next.complete() || pair.seconds() < next.seconds() ? pair : next;
        }
    }
    if (next.complete()) {
        auto const& strategy = next.write.trial->strategy;
        choice.why +=
            "; next " + text_of(next, choice_for(facts, options, strategy, strategy, next.write.trial->window));
    }
    return choice;
}

Choice measured(Communicator const& comm, Communicator const& node, Arrays const& arrays, PlanFacts const& facts,
                PlanOptions const& options) {
    std::string why_not;
    std::vector<Trial> trials;
    std::optional<std::vector<Description>> sample;
    FirstFailure failure;
    failure.attempt([&] {
        trials = worth_trying(facts, options);
        auto const most = most_sampled(facts.nodes);
        sample = sample_of(arrays.descriptions, facts.ranks, most);
        if (options.directory.empty()) {
            why_not = "no directory is named";
        } else if (trials.size() < 2) {
            why_not = "there is no other strategy to try";
        } else if (!sample) {
            why_not = fmt::format("there is no sample of these arrays with less than {}", text_of_bytes(most));
        }
    });
    failure.agree(comm);
    if (why_not.empty()) {
        try {
            run_trials(comm, node, *sample, facts, options, trials);
        } catch (Failure const& problem) {  // of all ranks
            failure.attempt([&] { why_not = problem.what(); });
        }
    }
    Choice choice;
    failure.attempt([&] {
        if (why_not.empty()) {
            auto const bytes = Arrays(*sample).bytes();
            choice = fastest(facts, options, trials, fmt::format("{} in {}", text_of_bytes(bytes), options.directory));
        } else {
            choice = choose(facts, options);
            choice.why += "; not measured: " + why_not;
        }
    });
    failure.agree(comm);
    return choice;
}

namespace {

constexpr double enough_s = 2;
constexpr std::size_t most_repetitions = 6;  ///< the first of which is a warm-up

/// A file that no other program uses; removed when it goes out of scope. Construction and destruction are collective.
class ScratchFile {
  public:
    ScratchFile(Communicator const& comm, Communicator const& node, std::string const& directory) : node_(node) {
        FirstFailure failure;
        failure.attempt([&] { path_ = directory + "/.weir-trial-XXXXXX"; });
        if (comm.is_root()) {
            failure.attempt([&] {
                auto const descriptor = ::mkstemp(path_.data());
                if (descriptor < 0) {
                    fail_system(errno, "May you write there?", "no file can be made in {}", directory);
                }
                ::close(descriptor);
            });
        }
        failure.agree(comm);
        comm.broadcast(std::as_writable_bytes(std::span(path_)));  // of the same length on all ranks
    }
    ~ScratchFile() { remove(); }
    ScratchFile(ScratchFile const&) = delete;
    ScratchFile& operator=(ScratchFile const&) = delete;

    [[nodiscard]] char const* path() const { return path_.c_str(); }

    /// The directory may be local to each node. Local.
    void remove() const {
        if (node_.is_root()) {
            static_cast<void>(::unlink(path_.c_str()));
        }
    }

    /// Asks the kernel to drop the file's pages from the page cache. Local.
    void drop_cache() const {
        auto const descriptor = node_.is_root() ? ::open(path_.c_str(), O_RDONLY | O_CLOEXEC) : -1;
        if (descriptor >= 0) {
            static_cast<void>(::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED));
            ::close(descriptor);
        }
    }

  private:
    Communicator node_;
    std::string path_;
};

/// This rank's local arrays, all pages touched.
class LocalArrays {
  public:
    LocalArrays(Communicator const& comm, std::vector<Description> const& all) {
        FirstFailure failure;
        failure.attempt([&] {
            for (auto const& d : all) {
                memory_.emplace_back(local_bytes(d, {comm.rank(), comm.size()}), std::byte{1});
                pointers_.push_back(memory_.back().data());
            }
        });
        failure.agree(comm);
    }
    [[nodiscard]] void* const* pointers() const { return pointers_.data(); }

  private:
    std::vector<std::vector<std::byte>> memory_;
    std::vector<void*> pointers_;
};

/// The user's options, but with this strategy and a plain write.
PlanOptions options_of(Trial const& trial, std::uint64_t group, PlanOptions options) {
    options.measure = options.safe = options.checksum = options.async = false;
    options.directory.clear();
    options.profile.clear();
    options.method = trial.strategy.method;
    options.writers = options.readers = trial.strategy.aggregators;
    options.group = group;
    options.window = Bytes{trial.window};
    return options;
}

}  // namespace

void run_trials(Communicator const& comm, Communicator const& node, std::vector<Description> const& sample,
                PlanFacts const& facts, PlanOptions const& options, std::vector<Trial>& trials) {
    ScratchFile const file(comm, node, options.directory);
    LocalArrays const local(comm, sample);
    std::vector<std::optional<Plan>> plans;
    FirstFailure room;
    room.attempt([&] { plans = std::vector<std::optional<Plan>>(trials.size()); });
    room.agree(comm);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        PlanOptions tried;
        std::vector<Description> arrays;
        FirstFailure failure;
        failure.attempt([&] {
            tried = options_of(trials[i], sizes_of(facts, options).group, options);
            arrays = sample;
            trials[i].write.reserve(most_repetitions);
            trials[i].read.reserve(most_repetitions);
        });
        plans[i].emplace(comm.handle(), std::move(arrays), std::move(tried), "", std::move(failure));
    }
    FileLayout layout;
    FirstFailure failure;
    failure.attempt([&] { layout.offsets = FileMap::packed_offsets(plans.front()->arrays(), 0); });
    failure.agree(comm);
    auto const seconds = [&](auto&& work) {
        comm.barrier();
        auto const began = now();
        work();
        return comm.max(now() - began);
    };
    auto const began = now();
    for (std::size_t repetition = 0; repetition < most_repetitions; ++repetition) {
        for (std::size_t i = 0; i < trials.size(); ++i) {
            file.remove();
            trials[i].write.push_back(seconds(
                [&] { WriteDump(*plans[i], file.path(), layout, local.pointers(), Waiting::here).complete(); }));
            file.drop_cache();
            trials[i].read.push_back(seconds([&] { read_file(*plans[i], file.path(), layout, local.pointers()); }));
            bool const some = repetition > 0 || i > 0;
            if (some && comm.max(now() - began) > enough_s) {
                return;
            }
        }
    }
}

namespace {

std::uint64_t file_bytes_of(std::vector<Description> const& all) {
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                           [](std::uint64_t sum, Description const& d) { return sum + d.file_bytes(); });
}

/// Cuts dimension i to a multiple of what all ranks along it need, at least one, so that the array becomes `excess`
/// times smaller.
void shortened(Description& d, std::size_t i, double excess) {
    auto const block = d.block.empty() ? 0 : d.block[i];
    auto const each = d.grid.empty() ? 1 : d.grid[i] * std::max<std::int64_t>(block, 1);
    auto const left = static_cast<std::int64_t>(static_cast<double>(d.shape[i]) / excess) / each * each;
    d.shape[i] = std::min(d.shape[i], std::max(left, each));
    if (!d.larger_shape.empty()) {
        d.larger_shape[i] = d.shape[i];
        d.larger_start[i] = 0;
    }
}

/// All but the fastest dimension of blocks may be cut; a replicated array has no other.
void shorten(Description& d, std::uint64_t ranks, double excess) {
    if (d.distribution == Distribution::replicated) {
        shortened(d, 0, excess);
    }
    if (d.distribution != Distribution::blocks) {
        return;
    }
    d.grid = grid_of(d, ranks);
    auto const dims = d.shape.size();
    auto const before = static_cast<double>(d.file_bytes());
    for (std::size_t slow = 0; slow + 1 < dims; ++slow) {
        auto const done = before / static_cast<double>(d.file_bytes());
        if (done >= excess) {
            return;
        }
        shortened(d, d.order == WEIR_C_ORDER ? slow : dims - 1 - slow, excess / done);
    }
}

}  // namespace

std::optional<std::vector<Description>> sample_of(std::vector<Description> const& all, std::uint64_t ranks,
                                                  std::uint64_t most) {
    auto sample = all;
    if (file_bytes_of(sample) > most) {
        auto const excess = static_cast<double>(file_bytes_of(sample)) / static_cast<double>(most);
        for (auto& d : sample) {
            shorten(d, ranks, excess);
        }
    }
    return file_bytes_of(sample) <= most ? std::optional(std::move(sample)) : std::nullopt;
}

}  // namespace weir::array
