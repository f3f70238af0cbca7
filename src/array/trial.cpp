#include "array/trial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "array/trial_run.hpp"
#include "array/words.hpp"

namespace weir::array {
namespace {

constexpr std::uint64_t MiB = 1 << 20;
constexpr std::size_t most_trials = 5;
/// What is reckoned to take so many times as long is not worth the wait.
constexpr double hopeless = 10;

/// Of the repetitions after the first one, in which memory is touched for the first time; of that where there is no
/// other.
double median(std::vector<double> seconds, bool warm) {
    if (warm) {
        seconds.erase(seconds.begin());
    } else {
        seconds.resize(1);
    }
    std::ranges::sort(seconds);
    return seconds[seconds.size() / 2];
}

/// Differences that the next run may turn around.
constexpr double alike = 1.02;

/// The trial that was fastest in one direction, of those with these windows that the options leave open; the first one
/// of those that were as fast, since they come in the order in which they would be taken.
struct Best {
    Trial const* trial = nullptr;
    double seconds = 0;
};

Best best_of(std::vector<Trial> const& trials, std::vector<Way> const& open, std::uint64_t window,
             std::vector<double> Trial::*direction, bool warm) {
    Best best;
    for (auto const& trial : trials) {
        bool const fits = trial.window == window || trial.way.method == Method::independent;
        if (!fits || (trial.*direction).empty() || std::ranges::find(open, trial.way) == open.end()) {
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

std::string words_for(Pair const& pair, Choice const& choice) {
    return fmt::format("{}: {} to write and {} to read", words_for(choice), words_for_seconds(pair.write.seconds),
                       words_for_seconds(pair.read.seconds));
}

Choice choice_for(PlanFacts const& facts, PlanOptions options, Way const& write, Way const& read,
                  std::uint64_t window) {
    options.window = Bytes{window};
    return choice_of(facts, options, write, read);
}

}  // namespace

std::vector<Trial> worth_trying(PlanFacts const& facts, PlanOptions const& options) {
    std::vector<Trial> trials;
    auto const add = [&](Way const& way, std::uint64_t window) {
        bool const known = std::ranges::any_of(trials, [&](Trial const& t) {
            return t.way == way && (t.window == window || way.method == Method::independent);
        });
        if (!known && trials.size() < most_trials) {
            trials.push_back({way, window});
        }
    };
    auto const writing = ways_by_cost(facts, options, Use::write);
    auto const reading = ways_by_cost(facts, options, Use::read);
    auto const window = choice_of(facts, options, writing.front(), reading.front()).window;
    add(writing.front(), window);
    add(reading.front(), window);
    if (options.window.value == 0) {
        auto const other = window == 4 * MiB ? MiB / 2 : 4 * MiB;
        add(writing.front(), choice_for(facts, options, writing.front(), reading.front(), other).window);
    }
    auto const sizes = sizes_of(facts, options);
    auto const seconds = [&](Way const& way) { return cost_of(facts, Use::write, way, sizes).seconds; };
    for (auto const& way : writing) {
        if (seconds(way) <= hopeless * seconds(writing.front())) {
            add(way, window);
        }
    }
    return trials;
}

Choice fastest(PlanFacts const& facts, PlanOptions const& options, std::vector<Trial> const& trials,
               std::string const& where) {
    auto const tried = std::ranges::count_if(trials, [](Trial const& t) { return !t.read.empty(); });
    bool const warm = std::ranges::all_of(trials, [](Trial const& t) { return t.read.empty() || t.read.size() > 1; });
    auto const writing = ways_by_cost(facts, options, Use::write);
    auto const reading = ways_by_cost(facts, options, Use::read);
    Pair first;
    for (auto const& trial : trials) {
        Pair const pair{best_of(trials, writing, trial.window, &Trial::write, warm),
                        best_of(trials, reading, trial.window, &Trial::read, warm)};
        if (pair.complete() && (!first.complete() || pair.seconds() * alike < first.seconds())) {
            first = pair;
        }
    }
    // A way that goes one step at a time has no windows; the other one says them.
    auto const& speaker = first.write.trial->way.method == Method::independent ? *first.read.trial : *first.write.trial;
    auto choice = choice_for(facts, options, first.write.trial->way, first.read.trial->way, speaker.window);
    choice.why = fmt::format("{}, the fastest of {} for {}", words_for(first, choice), tried, where);

    Pair next;
    for (auto const& trial : trials) {
        bool const same = trial.way == choice.write && trial.way == choice.read && trial.window == speaker.window;
        if (!same && !trial.read.empty()) {
            Pair const pair{{&trial, median(trial.write, warm)}, {&trial, median(trial.read, warm)}};
            next = !next.complete() || pair.seconds() < next.seconds() ? pair : next;
        }
    }
    if (next.complete()) {
        auto const& way = next.write.trial->way;
        choice.why += "; next " + words_for(next, choice_for(facts, options, way, way, next.write.trial->window));
    }
    return choice;
}

Choice measured(Communicator const& comm, Communicator const& node, Arrays const& arrays, PlanFacts const& facts,
                PlanOptions const& options, std::string const& options_text) {
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
            why_not = "there is no other way to try";
        } else if (!sample) {
            why_not = fmt::format("there is no sample of these arrays with less than {}", words_for_bytes(most));
        }
    });
    failure.agree(comm);
    if (why_not.empty()) {
        try {
            run_trials(comm, node, *sample, facts, options, options_text, trials);
        } catch (Failure const& problem) {  // of all ranks
            failure.attempt([&] { why_not = problem.what(); });
        }
    }
    Choice choice;
    failure.attempt([&] {
        if (why_not.empty()) {
            auto const bytes = Arrays(*sample).bytes();
            choice =
                fastest(facts, options, trials, fmt::format("{} in {}", words_for_bytes(bytes), options.directory));
        } else {
            choice = choose(facts, options);
            choice.why += "; not measured: " + why_not;
        }
    });
    failure.agree(comm);
    return choice;
}

}  // namespace weir::array
