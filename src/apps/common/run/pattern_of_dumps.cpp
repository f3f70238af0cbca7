#include "apps/common/run/pattern_of_dumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "pattern/loops.hpp"

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
    std::uint64_t partition = 0;             ///< the index of its first partition
    std::vector<std::uint64_t> arrays = {};  ///< the index of each file's first array; none: 0
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
    void operator()(Access& access) const {
        if (access.part) {
            access.part->partition += places_.partition;
            access.part->array += first_array(access.file);
        }
        place(access);
    }
    void operator()(Open& open) const {
        if (open.makes) {
            open.makes->first += first_array(open.file);
        }
        place(open);
    }
    template <class Other>
    void operator()(Other& step) const {
        place(step);
    }

  private:
    [[nodiscard]] std::uint64_t first_array(std::uint64_t file) const {
        return places_.arrays.empty() ? 0 : places_.arrays.at(file);
    }
    template <class Other>
    void place(Other& step) const {
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

std::string name_after(std::string const& file, DumpNumber const& dump) {
    auto const at = file.find('#');
    if (at == std::string::npos) {
        return fmt::format("{}-{:06}", file, dump.step);
    }
    auto const end = std::min(file.find_first_not_of('#', at), file.size());
    return fmt::format("{}{:0{}}{}", file.substr(0, at), dump.number, end - at, file.substr(end));
}

std::vector<Step> steps_of(std::vector<Step> const& steps, std::vector<DumpPart> const& parts, std::size_t part) {
    auto const at = [&](std::size_t i) { return i < parts.size() ? parts[i].begin : steps.size(); };
    auto const begin = steps.begin();
    return {begin + static_cast<std::ptrdiff_t>(at(part)), begin + static_cast<std::ptrdiff_t>(at(part + 1))};
}

std::vector<bool> written_by(DumpPlan const& plan) {
    std::vector<bool> written(plan.lasting.size());
    each_step(plan.dump, [&](Step const& step, Loops const&) {
        if (auto const* open = std::get_if<Open>(&step)) {
            written.at(open->file) = written.at(open->file) || open->mode == OpenMode::create;
        } else if (auto const* rename = std::get_if<Rename>(&step)) {
            written.at(rename->to) = true;
        }
    });
    return written;
}

namespace {

void add_restart(Pattern& pattern, DumpPlan const& plan, Places const& places) {
    for (std::size_t part = 0; part < plan.restart_parts.size(); ++part) {
        pattern.phases.push_back(phase_of(plan.restart_parts[part].name,
                                          placed(steps_of(plan.restart, plan.restart_parts, part), places, 0)));
    }
    if (plan.restart_parts.empty()) {
        pattern.phases.push_back(phase_of("restart", placed(plan.restart, places, 0)));
    }
}

}  // namespace

Pattern pattern_of_dumps(DumpPlan const& plan, DumpTimes const& times, bool restarted) {
    auto const places = places_of(plan);
    auto pattern = plan.shape;
    pattern.files.clear();
    auto const add = [&](bool lasting, DumpNumber const& dump) {
        for (std::size_t file = 0; file < plan.lasting.size(); ++file) {
            if (plan.lasting[file] == lasting) {
                pattern.files.push_back(plan.shape.files[file]);
                auto& name = pattern.files.back().name;
                name = lasting ? name : name_after(name, dump);
            }
        }
    };
    add(true, {});
    for (std::uint64_t dump = 0; dump < times.count(); ++dump) {
        add(false, {times.step_of(dump), times.before() + dump});
    }
    if (restarted) {
        add_restart(pattern, plan, places);
    }
    if (times.count() == 1) {
        for (std::size_t part = 0; part < plan.parts.size(); ++part) {
            pattern.phases.push_back(
                phase_of(plan.parts[part].name, placed(steps_of(plan.dump, plan.parts, part), places, 0)));
        }
    }
    if (times.count() > 1 || (times.count() == 1 && plan.parts.empty())) {
        pattern.phases.push_back(phase_of("dumps", {Repeat{times.count(), placed(plan.dump, places, 1)}}));
    }
    resolve(pattern);
    validate_pattern(pattern);
    return pattern;
}

namespace {

/// Does the dump add arrays to this file?
bool gets_arrays(DumpPlan const& plan, std::uint64_t file) {
    return std::ranges::any_of(plan.dump, [&](Step const& step) {
        auto const* open = std::get_if<Open>(&step);
        return open != nullptr && open->file == file && open->makes;
    });
}

/// Places a plan's files in the pattern: new ones after those that it has. A lasting one that dumps only read, or add
/// arrays to, is the same in all plans; one that each dump replaces has other arrays by then, and is a new one too.
Places add_files(Pattern& pattern, DumpPlan const& plan, DumpNumber const& number,
                 std::map<std::string, std::uint64_t>& same) {
    Places places{{}, std::vector<std::int64_t>(plan.lasting.size()), pattern.partitions.size(), {}};
    auto const written = written_by(plan);
    for (std::size_t i = 0; i < plan.lasting.size(); ++i) {
        auto const& file = plan.shape.files[i];
        auto const grows = gets_arrays(plan, i);
        auto const stays = plan.lasting[i] && (grows || !written[i]);
        auto const known = stays ? same.find(file.name) : same.end();
        places.arrays.push_back(0);
        if (known == same.end()) {
            places.of_file.push_back(pattern.files.size());
            pattern.files.push_back(file);
            pattern.files.back().name = stays ? file.name : name_after(file.name, number);
            if (stays) {
                same.emplace(file.name, places.of_file.back());
            }
            continue;
        }
        places.of_file.push_back(known->second);
        if (grows) {
            auto& arrays = pattern.files[known->second].arrays;
            places.arrays.back() = arrays.size();
            arrays.insert(arrays.end(), file.arrays.begin(), file.arrays.end());
        }
    }
    return places;
}

}  // namespace

Pattern pattern_of_dumps(std::vector<DumpPlan> const& plans, DumpTimes const& times, bool restarted) {
    auto pattern = plans.front().shape;
    pattern.files.clear();
    pattern.partitions.clear();
    std::map<std::string, std::uint64_t> lasting;
    for (std::uint64_t dump = 0; dump < plans.size(); ++dump) {
        auto const& plan = plans[dump];
        DumpNumber const number{times.step_of(dump), times.before() + dump};
        auto places = add_files(pattern, plan, number, lasting);
        auto const& partitions = plan.shape.partitions;
        if (dump > 0 && partitions == plans.front().shape.partitions) {
            places.partition = 0;
        } else {
            pattern.partitions.insert(pattern.partitions.end(), partitions.begin(), partitions.end());
        }
        if (restarted && dump == 0) {
            add_restart(pattern, plan, places);
        }
        auto const add = [&](std::string const& name, std::vector<Step> steps) {
            pattern.phases.push_back(
                phase_of(fmt::format("{} {:04}", name, number.number), placed(std::move(steps), places, 0)));
        };
        if (plan.parts.empty()) {
            add("dump", plan.dump);
        }
        for (std::size_t part = 0; part < plan.parts.size(); ++part) {
            add(plan.parts[part].name, steps_of(plan.dump, plan.parts, part));
        }
    }
    resolve(pattern);
    validate_pattern(pattern);
    return pattern;
}

Pattern requests_of(DumpPlan const& plan) {
    auto asked = plan.shape;
    asked.phases = {phase_of("dump", plan.dump), phase_of("restart", plan.restart)};
    resolve(asked);
    return asked;
}

DumpPlan each_alone(DumpPlan plan) {
    make_alone(plan.dump);
    make_alone(plan.restart);
    make_alone(plan.input);
    return plan;
}

std::uint64_t bytes_left(DumpPlan const& plan, DumpTimes const& times, bool restarted) {
    auto const of_dumps = [&](std::uint64_t dumps) {
        return totals(pattern_of_dumps(plan, {0, dumps, 1}, restarted)).bytes_on_disk;
    };
    auto const dumps = times.count();
    return dumps < 2 ? of_dumps(dumps) : of_dumps(1) + (dumps - 1) * (of_dumps(2) - of_dumps(1) + plan.grows_by);
}

}  // namespace weir
