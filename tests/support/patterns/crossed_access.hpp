#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pattern/pattern.hpp"
#include "support/patterns/pairs.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/sources.hpp"

namespace weir::testing {

/// All that an access of a pattern can be, and what can surround it.
inline std::vector<Property> properties_of_accesses() {
    return {{"manner", {"independent", "collective", "asynchronous", "of-a-collective-phase"}},
            {"then", {"read", "check", "mixed"}},
            {"order", {"sequential", "shuffled", "random", "random-partition"}},
            {"shape", {"blocks", "interleaved", "columns", "backwards", "lists", "rows-of-array", "tiles-of-array"}},
            {"together", {"no", "yes"}},
            {"sync", {"never", "each", "once"}},
            {"ranks", {"all", "last-half"}},
            {"file", {"shared", "per-rank"}},
            {"readers", {"writers", "others"}},
            {"limit", {"none", "time", "wear-out"}},
            {"pace", {"none", "rate"}},
            {"turns", {"one", "two"}},
            {"before", {"nothing", "asynchronous", "collective", "together"}},
            {"data", {"application", "stamps", "fixed"}},
            {"bytes", {"1000", "4096", "0"}},
            {"room", {"none", "reserved"}},
            {"datasets", {"one", "several"}},
            {"groups", {"none", "two", "node"}}};
}

/// What some values of these need.
inline std::vector<Choices> bases_of_accesses() {
    Choices const array{{"shape", "rows-of-array"}, {"together", "yes"}};
    Choices const in_order{{"shape", "interleaved"}, {"data", "stamps"}, {"bytes", "4096"}};
    auto const both = [](Choices one, Choices const& more) {
        one.insert(more.begin(), more.end());
        return one;
    };
    Choices const collective{{"manner", "collective"}}, asynchronous{{"manner", "asynchronous"}},
        blocks{{"bytes", "4096"}};
    return {{},
            blocks,
            collective,
            asynchronous,
            array,
            both(array, collective),
            both(array, asynchronous),
            both(array, blocks),
            {{"data", "stamps"}},
            in_order,
            both(in_order, collective),
            both(in_order, {{"manner", "of-a-collective-phase"}}),
            both(blocks, asynchronous),
            both(blocks, {{"data", "stamps"}})};
}

/// Makes a pattern of these choices: the phases "write" and "read", of a file in which the access of "before" has the
/// first part, and the one that the choices are about the rest.
class CrossedAccess {
  public:
    CrossedAccess(Choices const& choices, std::uint64_t ranks) : choices_(choices), ranks_(ranks) {}

    [[nodiscard]] Pattern pattern() const {
        Pattern pattern{"crossed", ranks_, {{"data", is("file", "per-rank"), dataset_bytes()}}, {}};
        if (of_array()) {
            for (auto const* name : {"before", "crossed"}) {
                auto const rows = 2 * ranks_ + 1;
                Element const number{Element::Kind::real, 8};
                auto const offset = pattern.files[0].arrays.size() * (rows + 1) * bytes();
                pattern.files[0].arrays.push_back({name, number, {rows, bytes() / 8}, offset});
            }
            pattern.partitions.emplace_back();
            if (is("shape", "rows-of-array")) {
                pattern.partitions[0].grid = {0, 1};
            }
        }
        pattern.phases = {phase(pattern, "write", {Verb::write, Verb::write, OpenMode::create})};
        auto const mixed = is("then", "mixed");
        auto const verb = mixed ? Verb::mixed : is("then", "check") ? Verb::check : Verb::read;
        pattern.phases.push_back(phase(pattern, "read", {verb, Verb::read, mixed ? OpenMode::update : OpenMode::read}));
        return pattern;
    }

    /// Is another's rank part read, or read and written, in the second phase?
    [[nodiscard]] bool is(char const* property, std::string_view value) const { return choices_.at(property) == value; }

    [[nodiscard]] bool of_array() const { return is("shape", "rows-of-array") || is("shape", "tiles-of-array"); }

  private:
    static constexpr std::uint64_t pieces = 6;
    struct How {
        Verb verb{};
        Verb before{};
        OpenMode mode{};
    };

    [[nodiscard]] std::uint64_t bytes() const { return std::stoull(choices_.at("bytes")); }

    /// Of one access of all ranks.
    [[nodiscard]] std::uint64_t part_bytes() const { return 2 * ranks_ * pieces * std::max<std::uint64_t>(8, bytes()); }

    [[nodiscard]] std::uint64_t dataset_bytes() const { return is("datasets", "several") ? part_bytes() : 0; }

    [[nodiscard]] RankSet some_ranks() const {
        return is("ranks", "all") ? RankSet{0, ranks_, 1} : RankSet{ranks_ / 2, ranks_ - ranks_ / 2, 1};
    }

    [[nodiscard]] Phase phase(Pattern const& pattern, std::string name, How const& how) const {
        Phase phase = phase_of(std::move(name), {Open{0, how.mode}});
        phase.collective = is("manner", "of-a-collective-phase");
        if (how.verb != Verb::write && is("readers", "others")) {
            phase.reorder = {ReorderKind::shift, 1, 0};
        }
        constexpr Seconds long_enough{100};
        phase.time_limit = is("limit", "none") ? Seconds{} : long_enough;
        phase.wear_out = is("limit", "wear-out");
        if (how.verb == Verb::write && is("room", "reserved")) {
            phase.steps.emplace_back(Preallocate{0, 3 * part_bytes()});
        }
        if (!is("before", "nothing")) {
            phase.steps.emplace_back(before(pattern, how.before));
        }
        auto crossed = access(pattern, how.verb);
        if (is("turns", "two")) {
            if (!of_array()) {
                crossed.advance = {static_cast<std::int64_t>(part_bytes())};
            }
            phase.steps.emplace_back(Repeat{2, {Step{crossed}}});
        } else {
            phase.steps.emplace_back(crossed);
        }
        if (how.verb != Verb::read && how.verb != Verb::check && is("sync", "once")) {
            phase.steps.emplace_back(Sync{0});
        }
        phase.steps.emplace_back(Close{0});
        return phase;
    }

    /// Of all ranks, piece by piece in turn.
    [[nodiscard]] Access before(Pattern const& pattern, Verb verb) const {
        auto one = of_array() ? access_to(pattern, verb, 0, 0, 0, {0, ranks_, 1}) : interleaved({0, ranks_, 1}, 0);
        one.verb = verb;
        one.asynchronous = is("before", "asynchronous");
        one.collective = is("before", "collective");
        one.list_io = one.list_io || is("before", "together");
        return one;
    }

    [[nodiscard]] Access interleaved(RankSet const& ranks, std::uint64_t start) const {
        auto const step = static_cast<std::int64_t>(std::max<std::uint64_t>(8, bytes()));
        auto const all = static_cast<std::int64_t>(ranks.count) * step;
        return access_of(ranks, {{ranks.count, step}}, {start, {{pieces, all}}, bytes()});
    }

    [[nodiscard]] Access shaped(Pattern const& pattern) const {
        auto const ranks = some_ranks();
        if (of_array()) {
            return access_to(pattern, Verb::write, 0, 1, 0, ranks);
        }
        auto const step = static_cast<std::int64_t>(std::max<std::uint64_t>(8, bytes()));
        auto const start = is("before", "nothing") ? 0 : part_bytes();
        auto const of_a_rank = static_cast<std::int64_t>(pieces) * step;
        std::vector<Level> const apart{{ranks.count, of_a_rank}};
        if (is("shape", "blocks")) {
            return access_of(ranks, apart, {start, {{pieces, step}}, bytes()});
        }
        if (is("shape", "columns")) {  // of a matrix of 2 x 3 pieces, one after the other
            return access_of(ranks, apart, {start, {{3, step}, {2, 3 * step}}, bytes()});
        }
        if (is("shape", "backwards")) {
            auto const last = start + (pieces - 1) * static_cast<std::uint64_t>(step);
            return access_of(ranks, apart, {last, {{pieces, -step}}, bytes()});
        }
        return is("shape", "lists") ? listed(ranks, start) : interleaved(ranks, start);
    }

    /// Pieces of different lengths and in no order; the last rank has none where there are others.
    [[nodiscard]] Access listed(RankSet const& ranks, std::uint64_t start) const {
        auto const step = std::max<std::uint64_t>(8, bytes());
        std::vector<std::vector<Piece>> lists(ranks.count);
        for (std::uint64_t rank = 0; rank + 1 < ranks.count || rank == 0; ++rank) {
            for (std::uint64_t const piece : {3, 0, 4, 1}) {
                auto const shorter = piece == 4 ? bytes() / 2 / 8 * 8 : bytes();
                lists[rank].push_back({(rank * pieces + piece) * step, shorter});
            }
        }
        auto one = access_of(ranks, {}, {start, {}, 0});
        one.lists = PieceLists(lists);
        return one;
    }

    [[nodiscard]] Access access(Pattern const& pattern, Verb verb) const {
        auto one = shaped(pattern);
        one.verb = verb;
        one.asynchronous = is("manner", "asynchronous");
        one.collective = is("manner", "collective");
        one.list_io = is("together", "yes");
        one.sync_each = is("sync", "each");
        one.read_percent = 50;
        if (is("pace", "rate")) {
            one.pace.most_per_second = Bytes{1ULL << 40};
        }
        if (is("order", "shuffled")) {
            one.order = {OrderKind::shuffled, 7, 0};
        } else if (is("order", "random")) {
            one.order = {OrderKind::random, 7, pieces + 1};
        } else if (is("order", "random-partition")) {
            one.rank_levels.clear();
            one.extent.levels.insert(one.extent.levels.begin(), Level{one.ranks.count, 0});
            auto const step = static_cast<std::int64_t>(std::max<std::uint64_t>(8, bytes()) * pieces);
            one.extent.levels.front().stride = step;
            one.order = {OrderKind::random_partition, 7, pieces - 1};
        }
        return one;
    }

    Choices const& choices_;
    std::uint64_t ranks_;
};

/// Like PlacedBytes, also for this rank's part of arrays; `acting`: in whose place it acts now.
class CrossedBytes final : public DataSource {
  public:
    void fill(CurrentAccess const& asked, Operation const& operation, std::span<std::byte> data) override {
        each(asked, operation, data.size(),
             [&](std::size_t i, std::uint64_t place) { data[i] = PlacedBytes::at(asked.file, place); });
    }
    void take(CurrentAccess const& asked, Operation const& operation, std::span<std::byte const> data) override {
        taken += data.size();
        each(asked, operation, data.size(), [&](std::size_t i, std::uint64_t place) {
            wrong += data[i] == PlacedBytes::at(asked.file, place) ? 0 : 1;
        });
    }

    Rank acting{};
    std::uint64_t taken = 0;
    std::uint64_t wrong = 0;

  private:
    template <class Visit>
    void each(CurrentAccess const& asked, Operation const& operation, std::size_t bytes, Visit visit) const {
        if (!asked.access.part) {
            for (std::size_t i = 0; i < bytes; ++i) {
                visit(i, operation.offset + i);
            }
            return;
        }
        std::size_t at = 0;
        for (auto const& piece : pieces_of_all(sections_of(asked.access, acting))) {
            for (std::uint64_t i = 0; i < piece.length && at < bytes; ++i) {
                visit(at++, piece.offset + i);
            }
        }
    }
};

}  // namespace weir::testing
