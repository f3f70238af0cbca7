#include "sim/alike_phases.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <variant>

#include "pattern/loops.hpp"

namespace weir::sim {
namespace {

/// A phase whose files are numbered as they come, and what these are.
struct Numbered {
    Phase phase;
    std::vector<File> files;
    std::vector<std::uint64_t> apart;  ///< from the first one, which decides who shares targets and servers
    std::vector<bool> used_before;
    std::vector<std::size_t> states;  ///< of these, by what phases have left there

    bool operator==(Numbered const&) const = default;
};

using States = std::map<std::uint64_t, std::size_t>;

class Numbering {
  public:
    Numbering(Pattern const& pattern, std::set<std::uint64_t> const& used, States const& states)
        : pattern_(pattern), used_(used), states_(states) {}

    Numbered of(Phase const& phase) {
        result_.phase = phase;
        result_.phase.name.clear();
        renumber(result_.phase.steps);
        return std::move(result_);
    }

    /// The number of a file; of one that the phase comes to in later turns another one.
    [[nodiscard]] std::uint64_t number_of(std::uint64_t file) const {
        auto const found = numbers_.find(file);
        return found == numbers_.end() ? pattern_.files.size() + file : found->second;
    }

  private:
    void renumber(std::vector<Step>& steps) {
        for (auto& step : steps) {
            std::visit(
                [&](auto& one) {
                    using One = std::decay_t<decltype(one)>;
                    if constexpr (std::is_same_v<One, Repeat>) {
                        renumber(one.steps);
                    } else if constexpr (requires { one.file; }) {
                        one.file = number(one.file);
                    }
                    if constexpr (std::is_same_v<One, Rename>) {
                        one.to = number(one.to);
                    }
                },
                step);
        }
    }

    std::uint64_t number(std::uint64_t file) {
        auto const [at, is_new] = numbers_.try_emplace(file, numbers_.size());
        if (is_new) {
            auto like = pattern_.files[file];
            like.name.clear();
            for (auto& array : like.arrays) {
                array.name.clear();
            }
            result_.files.push_back(std::move(like));
            first_ = result_.apart.empty() ? file : first_;
            result_.apart.push_back(file - first_);
            result_.used_before.push_back(used_.contains(file));
            auto const state = states_.find(file);
            result_.states.push_back(state == states_.end() ? 0 : state->second);
        }
        return at->second;
    }

    Pattern const& pattern_;
    std::set<std::uint64_t> const& used_;
    States const& states_;
    Numbered result_;
    std::uint64_t first_ = 0;
    std::map<std::uint64_t, std::uint64_t> numbers_;
};

/// The files that a phase uses in those steps, in all turns of its repeats.
template <class Is>
std::set<std::uint64_t> files_of(Phase const& phase, Is const& is) {
    std::set<std::uint64_t> files;
    auto const add = [&](std::uint64_t file, std::vector<std::int64_t> const& advance, Loops const& loops) {
        for (auto const& [reached, ignored] : files_reached(file, advance, {}, loops)) {
            files.insert(reached);
        }
    };
    each_step(phase.steps, [&](Step const& step, Loops const& loops) {
        if (!is(step)) {
            return;
        }
        std::visit(
            [&](auto const& one) {
                if constexpr (requires { one.file_advance; }) {
                    add(one.file, one.file_advance, loops);
                } else if constexpr (requires { one.file; }) {
                    files.insert(one.file);
                }
                if constexpr (requires { one.to_advance; }) {
                    add(one.to, one.to_advance, loops);
                }
            },
            static_cast<Step::variant const&>(step));
    });
    return files;
}

std::set<std::uint64_t> files_of(Phase const& phase) {
    return files_of(phase, [](Step const&) { return true; });
}

/// The files on which a phase leaves what later ones find: pointers, or locks.
std::set<std::uint64_t> files_left(Pattern const& pattern, Phase const& phase, bool pointers, bool locks) {
    if (pointers) {
        return files_of(phase);
    }
    auto files = files_of(phase, [&](Step const& step) {
        auto const* access = std::get_if<Access>(&step);
        return locks && access != nullptr && (access->verb == Verb::write || access->verb == Verb::mixed);
    });
    std::erase_if(files, [&](std::uint64_t file) { return pattern.files[file].per_rank; });
    return files;
}

bool has_pointers(Pattern const& pattern) {
    bool found = false;
    for (auto const& phase : pattern.phases) {
        each_access(phase.steps, [&](Access const& access, Loops const&) { found = found || access.seeks; });
    }
    return found;
}

/// Steps that go from file to file in their turns.
bool advances_files(Phase const& phase) {
    bool found = false;
    each_step(phase.steps, [&](Step const& step, Loops const&) {
        std::visit(
            [&](auto const& one) {
                if constexpr (requires { one.file_advance; }) {
                    found = found || !one.file_advance.empty();
                }
                if constexpr (requires { one.to_advance; }) {
                    found = found || !one.to_advance.empty();
                }
            },
            step);
    });
    return found;
}

/// Arrays have names, which say nothing here.
void forget_names(std::vector<Step>& steps) {
    for (auto& step : steps) {
        if (auto* access = std::get_if<Access>(&step); access != nullptr && access->part) {
            access->part->what.name.clear();
        } else if (auto* repeat = std::get_if<Repeat>(&step)) {
            forget_names(repeat->steps);
        } else if (auto* move = std::get_if<Move>(&step)) {
            move->what.name.clear();
        } else if (auto* groups = std::get_if<InGroups>(&step)) {
            groups->what.name.clear();
        }
    }
}

}  // namespace

std::vector<std::size_t> alike_phases(Pattern const& pattern, bool locks) {
    auto const pointers = has_pointers(pattern);
    States states;
    std::map<std::tuple<std::size_t, std::size_t, std::uint64_t>, std::size_t> known;  // from one before, by a phase
    std::vector<std::size_t> alike;
    std::vector<std::pair<std::size_t, Numbered>> firsts;
    std::set<std::uint64_t> used;
    for (std::size_t i = 0; i < pattern.phases.size(); ++i) {
        Numbering numbering(pattern, used, states);
        auto numbered = numbering.of(pattern.phases[i]);
        forget_names(numbered.phase.steps);
        alike.push_back(i);
        for (auto const& [first, other] : firsts) {
            if (other == numbered) {
                alike.back() = first;
                break;
            }
        }
        used.merge(files_of(pattern.phases[i]));
        for (auto const file : files_left(pattern, pattern.phases[i], pointers, locks)) {
            auto& state = states[file];
            state = known.try_emplace({state, alike.back(), numbering.number_of(file)}, known.size() + 1).first->second;
        }
        if (alike.back() == i && !advances_files(pattern.phases[i])) {
            firsts.emplace_back(i, std::move(numbered));
        }
    }
    return alike;
}

void keep_makers(Pattern const& pattern, std::vector<std::size_t>& alike, bool locks) {
    auto const pointers = has_pointers(pattern);
    std::vector<std::set<std::uint64_t>> made(pattern.phases.size());
    std::set<std::uint64_t> used;
    for (std::size_t i = 0; i < alike.size(); ++i) {
        made[i] = files_left(pattern, pattern.phases[i], pointers, locks);
        for (auto const file : files_of(pattern.phases[i])) {
            if (used.insert(file).second) {
                made[i].insert(file);
            }
        }
    }
    std::set<std::uint64_t> needed;
    for (auto i = alike.size(); i-- > 0;) {
        bool const is_needed =
            std::any_of(made[i].begin(), made[i].end(), [&](std::uint64_t file) { return needed.contains(file); });
        alike[i] = is_needed ? i : alike[i];
        if (alike[i] == i) {
            needed.merge(files_of(pattern.phases[i]));
        }
    }
}

Pattern without_repetitions(Pattern const& pattern, std::vector<std::size_t> const& alike) {
    auto result = pattern;
    result.phases.clear();
    for (std::size_t i = 0; i < alike.size(); ++i) {
        if (alike[i] == i) {
            result.phases.push_back(pattern.phases[i]);
        }
    }
    return result;
}

}  // namespace weir::sim
