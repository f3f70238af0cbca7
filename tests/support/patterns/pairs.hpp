#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weir::testing {

/// What a case can be varied in: its values, the usual one first.
struct Property {
    std::string name;
    std::vector<std::string> values;
};

/// A value of each property, by its name.
using Choices = std::map<std::string, std::string>;

/// Cases in which every two values of different properties come together at least once, few of them: most cases hold
/// many pairs. Always the same ones.
class Pairs {
  public:
    /// `fits`: can there be such a case? Called often. `bases`: cases to start from, since some values need others.
    Pairs(std::vector<Property> properties, std::vector<Choices> bases, std::function<bool(Choices const&)> fits)
        : properties_(std::move(properties)), bases_(std::move(bases)), fits_(std::move(fits)) {
        for (auto const& property : properties_) {
            usual_[property.name] = property.values.front();
        }
    }

    /// Runs cases until all pairs were in one that ran; `run` says whether it did, or was refused. Returns what was in
    /// none: pairs, as "property = value, property = value", or values that no case with them ran at all.
    std::vector<std::string> each(std::function<bool(Choices const&)> const& run) {
        std::vector<std::string> left;
        for (std::size_t i = 0; i < properties_.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                for (auto const& one : properties_[i].values) {
                    for (auto const& other : properties_[j].values) {
                        if (!done_.contains({i, one, j, other}) && !try_pair({i, one}, {j, other}, run)) {
                            left_.insert({i, one, j, other});
                        }
                    }
                }
            }
        }
        for (auto const& [i, one, j, other] : left_) {
            if (ran({i, one}) && ran({j, other})) {
                left.push_back(name_of(i, one) + ", " + name_of(j, other));
            }
        }
        for (std::size_t i = 0; i < properties_.size(); ++i) {
            for (auto const& value : properties_[i].values) {
                if (!ran({i, value})) {
                    left.push_back(name_of(i, value));
                }
            }
        }
        return left;
    }

  private:
    using Value = std::pair<std::size_t, std::string>;
    using Pair = std::tuple<std::size_t, std::string, std::size_t, std::string>;  ///< the later property first

    [[nodiscard]] std::string name_of(std::size_t property, std::string const& value) const {
        return properties_[property].name + " = " + value;
    }

    /// Was it in a case that ran?
    [[nodiscard]] bool ran(Value const& value) const {
        return std::ranges::any_of(done_, [&](Pair const& pair) {
            auto const& [i, one, j, other] = pair;
            return value == Value(i, one) || value == Value(j, other);
        });
    }

    bool try_pair(Value const& one, Value const& other, std::function<bool(Choices const&)> const& run) {
        constexpr int most_runs = 6;
        int runs = 0;
        for (auto const& base : bases_) {
            auto choices = usual_;
            for (auto const& [name, value] : base) {
                choices[name] = value;
            }
            choices[properties_[one.first].name] = one.second;
            choices[properties_[other.first].name] = other.second;
            if (runs == most_runs || !fits_(choices)) {
                continue;
            }
            // Refused when it runs: with less that could be the reason.
            enrich(choices, one.first, other.first, runs == 0 ? properties_.size() : 0);
            ++runs;
            if (run(choices)) {
                note(choices);
                return true;
            }
        }
        return false;
    }

    /// Changes others of its values to such that make pairs which were in no case yet.
    void enrich(Choices& choices, std::size_t one, std::size_t other, std::size_t tries) {
        for (std::size_t i = 0; i < tries; ++i) {
            auto const at = random_() % properties_.size();
            auto const& values = properties_[at].values;
            if (at == one || at == other) {
                continue;
            }
            auto changed = choices;
            changed[properties_[at].name] = values[random_() % values.size()];
            if (count_new(changed, at) >= count_new(choices, at) && fits_(changed)) {
                choices = changed;
            }
        }
    }

    [[nodiscard]] std::size_t count_new(Choices const& choices, std::size_t at) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < properties_.size(); ++i) {
            count += i != at && !done_.contains(pair_of(choices, i, at)) ? 1U : 0U;
        }
        return count;
    }

    [[nodiscard]] Pair pair_of(Choices const& choices, std::size_t i, std::size_t j) const {
        auto const [early, late] = std::minmax(i, j);
        return {late, choices.at(properties_[late].name), early, choices.at(properties_[early].name)};
    }

    void note(Choices const& choices) {
        for (std::size_t i = 0; i < properties_.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                done_.insert(pair_of(choices, i, j));
            }
        }
    }

    std::vector<Property> properties_;
    std::vector<Choices> bases_;
    std::function<bool(Choices const&)> fits_;
    Choices usual_;
    std::set<Pair> done_;
    std::set<Pair> left_;
    std::mt19937 random_{48};
};

}  // namespace weir::testing
