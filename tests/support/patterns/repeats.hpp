#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/enum_names.hpp"
#include "pattern/expansion.hpp"
#include "pattern/loops.hpp"
#include "pattern/pattern.hpp"
#include "support/patterns/phases.hpp"

namespace weir::testing {

/// The same steps without repeats and advances.
inline std::vector<Step> unrolled(std::vector<Step> const& steps, std::vector<std::uint64_t> const& turns = {}) {
    std::vector<Step> all;
    for (auto const& step : steps) {
        if (auto const* repeat = std::get_if<Repeat>(&step)) {
            for (std::uint64_t turn = 0; turn < repeat->count; ++turn) {
                auto inner = turns;
                inner.push_back(turn);
                auto const one = unrolled(repeat->steps, inner);
                all.insert(all.end(), one.begin(), one.end());
            }
            continue;
        }
        auto copy = step;
        std::visit(
            [&](auto& one) {
                if constexpr (requires { one.file_advance; }) {
                    for (std::size_t i = 0; i < one.file_advance.size(); ++i) {
                        one.file += static_cast<std::uint64_t>(one.file_advance[i]) * turns[i];
                    }
                    one.file_advance.clear();
                }
                if constexpr (requires { one.extent; }) {
                    for (std::size_t i = 0; i < one.advance.size(); ++i) {
                        one.extent.start += static_cast<std::uint64_t>(one.advance[i]) * turns[i];
                    }
                    one.advance.clear();
                }
            },
            copy);
        all.push_back(std::move(copy));
    }
    return all;
}

inline Pattern unrolled(Pattern pattern) {
    for (auto& phase : pattern.phases) {
        phase.steps = unrolled(phase.steps);
    }
    return pattern;
}

/// What a rank does, a line each, without the numbers of the steps.
inline std::string deeds(Pattern const& pattern, Rank rank) {
    std::string text;
    expand(pattern, rank, [&](Deed const& deed) {
        text += std::string(to_text(deed.action)) + " " + std::string(deed.file) + " " + std::to_string(deed.offset) +
                " " + std::to_string(deed.length) + " " + std::to_string(deed.time_s) + "\n";
    });
    return text;
}

/// A pattern of one phase with nested repeats over several files, opened by all or some ranks. Offsets and lengths are
/// multiples of 8. Files are written only, or, if `checks`, read back by a second phase.
class RandomRepeats {
  public:
    explicit RandomRepeats(std::uint64_t seed) : random_(seed) {}

    Pattern make(std::uint64_t ranks) {
        pattern_ = {};
        pattern_.name = "repeats";
        pattern_.ranks = ranks;
        for (int i = 0; i < 8; ++i) {
            pattern_.files.push_back({"f" + std::to_string(i), below(3) == 0, 0});
        }
        auto phase = phase_of("loop", body(0));
        phase.steps.emplace_back(Compute{Seconds{0.001}, some_ranks()});
        pattern_.phases = {phase};
        return pattern_;
    }

  private:
    std::uint64_t below(std::uint64_t n) { return random_() % n; }

    /// All, one, every other, or two sets.
    Ranks some_ranks() {
        auto const all = pattern_.ranks;
        switch (below(4)) {
            case 0:
                return {{below(all), 1, 1}};
            case 1:
                return {{0, (all + 1) / 2, 2}};
            case 2:
                return all < 3 ? Ranks{} : Ranks{{all - 1, 1, 1}, {0, all - 2, 1}};
            default:
                return {};
        }
    }

    /// One of the sets of these ranks.
    RankSet one_of(Ranks const& ranks) {
        return ranks.empty() ? RankSet{0, pattern_.ranks, 1} : ranks[below(ranks.size())];
    }

    std::vector<std::int64_t> advances(std::size_t depth, std::int64_t unit) {
        std::vector<std::int64_t> result;
        for (std::size_t i = 0; i < depth; ++i) {
            result.push_back(static_cast<std::int64_t>(below(3)) * unit);
        }
        return result;
    }

    Access access(std::uint64_t file, Ranks const& ranks, std::vector<std::int64_t> const& file_advance,
                  std::size_t depth) {
        Access one;
        one.file = file;
        one.ranks = one_of(ranks);
        one.extent = {8 * below(4), {{1 + below(3), 64}}, 8 * (1 + below(4))};
        one.rank_levels = {{one.ranks.count, 256}};
        if (below(3) == 0) {
            std::vector<std::vector<Piece>> lists(one.ranks.count);
            for (auto& list : lists) {
                for (auto i = below(3); i > 0; --i) {
                    list.push_back({i * 64, 8 * i});
                }
            }
            one.lists = PieceLists(lists);
            one.extent = {};
            one.rank_levels.clear();
        }
        one.list_io = below(4) == 0;
        one.sync_each = below(4) == 0;
        one.advance = below(3) == 0 ? std::vector<std::int64_t>() : advances(depth, 1024);
        one.file_advance = file_advance;
        return one;
    }

    std::vector<Step> body(std::size_t depth) {
        std::vector<Step> steps;
        // In two repeats of up to 2 turns, files 0 to 3 are reached; those from 4 on are opened at the top.
        std::vector<std::int64_t> const file_advance =
            depth == 0 ? std::vector<std::int64_t>() : std::vector<std::int64_t>(depth, depth < 3 ? 1 : 0);
        auto const ranks = some_ranks();
        std::uint64_t const file = depth == 0 ? 4 + below(4) : below(2);
        if (depth == 0 || !opened_) {
            steps.emplace_back(Open{file, OpenMode::create, ranks, file_advance});
            auto const before = opened_;
            opened_ = depth > 0;
            add_inner(steps, file, ranks, file_advance, depth);
            opened_ = before;
            steps.emplace_back(Close{file, ranks, file_advance});
        } else {
            steps.emplace_back(Compute{Seconds{0.002}, ranks});
        }
        return steps;
    }

    void add_inner(std::vector<Step>& steps, std::uint64_t file, Ranks const& ranks,
                   std::vector<std::int64_t> const& file_advance, std::size_t depth) {
        steps.emplace_back(access(file, ranks, file_advance, depth));
        if (below(2) == 0) {
            steps.emplace_back(Sync{file, ranks, file_advance});
        }
        if (depth < 3) {
            Repeat repeat{1 + below(3), body(depth + 1)};
            repeat.count = depth < 2 ? std::min<std::uint64_t>(2, repeat.count) : repeat.count;
            auto inner = file_advance;
            inner.push_back(0);
            repeat.steps.emplace_back(access(file, ranks, inner, depth + 1));
            steps.emplace_back(repeat);
        }
    }

    std::mt19937_64 random_;
    Pattern pattern_;
    bool opened_ = false;
};

}  // namespace weir::testing
