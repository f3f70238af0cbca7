#include "apps/common/run/pattern_of_dumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace weir {

std::vector<Step> all_of(Pattern const& shape, std::uint64_t file, OpenMode mode, std::uint64_t of_rank0) {
    auto const verb = mode == OpenMode::read ? Verb::read : Verb::write;
    auto const& arrays = shape.files[file].arrays;
    std::vector<Step> steps{Open{file, mode, {}, {}, true}};
    for (std::uint64_t array = 0; array < arrays.size(); ++array) {
        auto const alone = array < of_rank0;
        auto access = access_to(shape, verb, file, array, alone ? 0 : 1, {0, alone ? 1 : shape.ranks, 1});
        access.collective = !alone;
        steps.emplace_back(std::move(access));
        if (alone && verb == Verb::read) {
            steps.emplace_back(Broadcast{bytes_of(arrays[array]), 0, {}});
        }
    }
    return steps;
}

void append(std::vector<Step>& steps, std::vector<Step> more) { std::ranges::move(more, std::back_inserter(steps)); }

Phase phase_of(std::string name, std::vector<Step> steps) {
    Phase phase;
    phase.name = std::move(name);
    phase.steps = std::move(steps);
    return phase;
}

namespace {

/// The indices of a plan's files in the pattern of a run, and their advance from dump to dump.
struct Places {
    std::vector<std::uint64_t> of_file;
    std::vector<std::int64_t> advance;
};

/// Lasting files come first, then the new ones of each dump in turn.
Places places_of(DumpPlan const& plan) {
    auto const fresh = static_cast<std::int64_t>(std::ranges::count(plan.lasting, false));
    Places places;
    std::uint64_t next_lasting = 0;
    auto next_fresh = plan.lasting.size() - static_cast<std::uint64_t>(fresh);
    for (bool const lasts : plan.lasting) {
        places.of_file.push_back(lasts ? next_lasting++ : next_fresh++);
        places.advance.push_back(lasts ? 0 : fresh);
    }
    return places;
}

std::vector<Step> placed(std::vector<Step> steps, Places const& places, std::size_t repeats);

class Placing {
  public:
    /// `repeats`: number of repeats around the steps; the outermost one is over the dumps.
    Placing(Places const& places, std::size_t repeats) : places_(places), repeats_(repeats) {}

    void operator()(Repeat& repeat) const { repeat.steps = placed(std::move(repeat.steps), places_, repeats_ + 1); }
    template <class Other>
    void operator()(Other& step) const {
        if constexpr (requires { step.advance; }) {
            if (repeats_ > 0 && !step.advance.empty()) {
                step.advance.insert(step.advance.begin(), 0);
            }
        }
        if constexpr (requires { step.to_advance; }) {
            move(step.to, step.to_advance);
        }
        if constexpr (requires { step.file_advance; }) {
            move(step.file, step.file_advance);
        } else if constexpr (requires { step.file; }) {
            step.file = places_.of_file.at(step.file);
        }
    }

  private:
    void move(std::uint64_t& file, std::vector<std::int64_t>& advance) const {
        auto const by_dump = places_.advance.at(file);
        if (repeats_ > 0 && (by_dump != 0 || !advance.empty())) {
            advance.resize(repeats_ - 1);
            advance.insert(advance.begin(), by_dump);
        }
        file = places_.of_file.at(file);
    }

    Places const& places_;
    std::size_t repeats_;
};

std::vector<Step> placed(std::vector<Step> steps, Places const& places, std::size_t repeats) {
    for (auto& step : steps) {
        std::visit(Placing(places, repeats), static_cast<Step::variant&>(step));
    }
    return steps;
}

void make_alone(std::vector<Step>& steps) {
    for (auto& step : steps) {
        if (auto* access = std::get_if<Access>(&step)) {
            access->collective = false;
        } else if (auto* open = std::get_if<Open>(&step)) {
            open->collective = false;
        } else if (auto* repeat = std::get_if<Repeat>(&step)) {
            make_alone(repeat->steps);
        }
    }
}

}  // namespace

std::string name_after(std::string const& file, std::uint64_t step) { return fmt::format("{}-{:06}", file, step); }

Pattern pattern_of_dumps(DumpPlan const& plan, DumpTimes const& times, bool restarted) {
    auto const places = places_of(plan);
    auto pattern = plan.shape;
    pattern.files.clear();
    auto const add = [&](bool lasting, std::uint64_t step) {
        for (std::size_t file = 0; file < plan.lasting.size(); ++file) {
            if (plan.lasting[file] == lasting) {
                pattern.files.push_back(plan.shape.files[file]);
                auto& name = pattern.files.back().name;
                name = lasting ? name : name_after(name, step);
            }
        }
    };
    add(true, 0);
    for (std::uint64_t dump = 0; dump < times.count(); ++dump) {
        add(false, times.step_of(dump));
    }
    if (restarted) {
        pattern.phases.push_back(phase_of("restart", placed(plan.restart, places, 0)));
    }
    if (times.count() > 0) {
        pattern.phases.push_back(phase_of("dumps", {Repeat{times.count(), placed(plan.dump, places, 1)}}));
    }
    resolve(pattern);
    validate_pattern(pattern);
    return pattern;
}

DumpPlan each_alone(DumpPlan plan) {
    make_alone(plan.dump);
    make_alone(plan.restart);
    return plan;
}

std::uint64_t bytes_left(DumpPlan const& plan, DumpTimes const& times, bool restarted) {
    auto const of_dumps = [&](std::uint64_t dumps) {
        return totals(pattern_of_dumps(plan, {0, dumps, 1}, restarted)).bytes_on_disk;
    };
    auto const dumps = times.count();
    return dumps < 2 ? of_dumps(dumps) : of_dumps(1) + (dumps - 1) * (of_dumps(2) - of_dumps(1));
}

}  // namespace weir
