#include "apps/cmb/io/cmb_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/cmb/model/sky.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "pattern/loops.hpp"

namespace weir::cmb {
namespace {

using Steps = std::vector<Step>;

void append(Steps& to, Steps from) { std::ranges::move(from, std::back_inserter(to)); }

/// A part of every rank, of one matrix after the other: that at this place of the regions, and at those that follow in
/// turns of the repeats around it, `advance` places further on each.
struct Parts {
    Verb verb = Verb::read;
    Among among = Among::all;
    std::uint64_t place = 0;
    std::vector<std::uint64_t> advance{};
};

class Maker {
  public:
    Maker(Shape const& shape, Course const& course) : shape_(shape), course_(course) {}

    [[nodiscard]] Steps signal() const {
        Steps steps{Open{.file = 0}};
        auto const write = Parts{Verb::write, Among::all, 0, {1}};
        auto const build = work(Stage::signal);
        // Asynchronous: the next one is built while one is written.
        steps.emplace_back(course_.asynchronous ? repeat(shape_.bins, {build, Wait{}, begin(write)})
                                                : repeat(shape_.bins, joined({build}, move(write))));
        return ended(std::move(steps));
    }

    [[nodiscard]] Steps inverse() const { return {work(Stage::inverse)}; }

    [[nodiscard]] Steps product() const {
        auto const rounds = shape_.rounds();
        if (course_.asynchronous) {
            return ended(product_ahead(rounds));
        }
        auto steps = read_round(0, {shape_.gangs});
        steps.emplace_back(work(Stage::product));
        append(steps, move(product_at(0, {shape_.gangs})));
        return ended({repeat(rounds, std::move(steps))});
    }

    /// Busy work reads each matrix once, computing those of a triangle.
    [[nodiscard]] Steps correction() const {
        auto const rounds = shape_.rounds();
        auto const computes = course_.mode == Mode::compute;
        Steps steps;
        if (course_.asynchronous) {
            append(steps, {begin(row_at(0, {})), Wait{}});
        }
        for (std::uint64_t column = 0; column < (computes ? rounds : 1); ++column) {
            append(steps, course_.asynchronous ? rows_ahead(column, rounds) : rows(column, rounds));
        }
        if (computes) {
            steps.emplace_back(last_solve());
        }
        steps.emplace_back(Close{});
        return steps;
    }

  private:
    [[nodiscard]] static Step repeat(std::uint64_t count, Steps steps) { return Repeat{count, std::move(steps)}; }

    [[nodiscard]] static Steps joined(Steps first, Steps second) {
        append(first, std::move(second));
        return first;
    }

    [[nodiscard]] Steps ended(Steps steps) const {
        if (course_.asynchronous) {
            steps.emplace_back(Wait{});
        }
        if (course_.sync) {
            steps.emplace_back(Sync{});
        }
        return steps;
    }

    [[nodiscard]] Parts product_at(std::uint64_t round, std::vector<std::uint64_t> advance) const {
        return {Verb::write, Among::gang, round * shape_.gangs, std::move(advance)};
    }

    [[nodiscard]] Parts row_at(std::uint64_t round, std::vector<std::uint64_t> advance) const {
        return {Verb::read, Among::gang, round * shape_.gangs, std::move(advance)};
    }

    /// The parts of all ranks of one matrix for each gang.
    [[nodiscard]] Steps read_round(std::uint64_t round, std::vector<std::uint64_t> advance) const {
        Steps steps;
        for (std::uint64_t gang = 0; gang < shape_.gangs; ++gang) {
            Parts const parts{Verb::read, Among::all, round * shape_.gangs + gang, advance};
            append(steps, course_.asynchronous ? Steps{begin(parts)} : move(parts));
        }
        return steps;
    }

    /// While one round is multiplied, the next one is read, and the one before is written.
    [[nodiscard]] Steps product_ahead(std::uint64_t rounds) const {
        auto const multiply = work(Stage::product);
        auto steps = joined(read_round(0, {}), {Wait{}});
        if (rounds > 1) {
            append(steps, joined(read_round(1, {}), {multiply, Wait{}}));
        }
        if (rounds > 2) {
            auto inner = read_round(2, {shape_.gangs});
            append(inner, {begin(product_at(0, {shape_.gangs})), multiply, Wait{}});
            steps.emplace_back(repeat(rounds - 2, std::move(inner)));
        }
        if (rounds > 1) {
            steps.emplace_back(begin(product_at(rounds - 2, {})));
        }
        append(steps, {multiply, Wait{}, begin(product_at(rounds - 1, {}))});
        return steps;
    }

    [[nodiscard]] Steps rows(std::uint64_t column, std::uint64_t rounds) const {
        auto steps = move(row_at(column, {shape_.gangs}));
        steps.emplace_back(work(Stage::correction));
        return {repeat(rounds - column, std::move(steps))};
    }

    /// While a row is multiplied, the next one is read: at the end that of the next column.
    [[nodiscard]] Steps rows_ahead(std::uint64_t column, std::uint64_t rounds) const {
        auto const multiply = work(Stage::correction);
        Steps steps;
        if (rounds - column > 1) {
            steps.emplace_back(
                repeat(rounds - column - 1, {begin(row_at(column + 1, {shape_.gangs})), multiply, Wait{}}));
        }
        if (course_.mode == Mode::compute && column + 1 < rounds) {
            steps.emplace_back(begin(row_at(column + 1, {})));
        }
        append(steps, {multiply, Wait{}});
        return steps;
    }

    /// Computing, as long as its operations take: those of its algorithm, or of the busy work that stands for it.
    [[nodiscard]] Step work(Stage stage) const {
        auto const n = static_cast<double>(shape_.pixels);
        auto const among = stage == Stage::signal || stage == Stage::inverse ? Among::all : Among::gang;
        return taking(operations(stage, n) / static_cast<double>(shape_.ranks_of(among)));
    }

    [[nodiscard]] double operations(Stage stage, double n) const {
        if (course_.mode == Mode::io) {
            constexpr double of_product = 1.5;
            return std::pow(n * n, course_.exponent.value_or(stage == Stage::product ? of_product : 1.0));
        }
        constexpr double of_a_degree = 7;
        switch (stage) {
            case Stage::signal:
                return of_a_degree * SignalDerivatives::multipoles * n * n;
            case Stage::inverse:
                return n * n * n;
            case Stage::product:
                return 2 * n * n * n;
            case Stage::correction:
                return 2 * n * n * static_cast<double>(shape_.gangs);
        }
        return 0;
    }

    [[nodiscard]] Step last_solve() const {
        auto const bins = static_cast<double>(shape_.bins);
        return taking(bins * bins * bins / 3);
    }

    [[nodiscard]] Step taking(double operations) const {
        constexpr double longest_s = 1e6;  // of a pattern
        auto const took_s = operations / course_.operations_per_s;
        validate(took_s <= longest_s, fmt::format("busy work of {:.3g} s at a time is too long", took_s),
                 fmt::format("there are {:.3g} operations of a rank", operations),
                 "Raise operations_per_s, lower exponent, or choose fewer pixels.");
        return Compute{.time = Seconds{took_s}};
    }

    [[nodiscard]] Step begin(Parts const& parts) const {
        auto one = access(parts, {0, shape_.ranks, 1});
        one.asynchronous = true;
        return one;
    }

    /// All ranks that share the matrix wait for each other before and behind it; in between they take turns if not all
    /// move their part at once, and say so to the next one by a message of a word.
    [[nodiscard]] Steps move(Parts const& parts) const {
        auto const turns = parts.verb == Verb::read ? course_.read_turns : course_.write_turns;
        auto const ranks_of = [&](std::uint64_t turn) { return RankSet{turn, shape_.ranks / turns, turns}; };
        auto steps = barriers(parts.among);
        for (std::uint64_t turn = 0; turn < turns; ++turn) {
            steps.emplace_back(access(parts, ranks_of(turn)));
            if (turn + 1 < turns) {
                steps.emplace_back(Send{ranks_of(turn), ranks_of(turn + 1), sizeof(double)});
            }
        }
        append(steps, barriers(parts.among));
        return steps;
    }

    [[nodiscard]] Steps barriers(Among among) const {
        auto const together = shape_.ranks_of(among);
        Steps steps;
        for (std::uint64_t first = 0; together > 1 && first < shape_.ranks; first += together) {
            steps.emplace_back(together == shape_.ranks ? Barrier{} : Barrier{.ranks = {{first, together, 1}}});
        }
        return steps;
    }

    /// Ranks at the edges of the matrix may have less of it; their parts are then listed.
    [[nodiscard]] Access access(Parts const& parts, RankSet const& ranks) const {
        auto const place = shape_.place_bytes();
        auto const displacement = course_.layout == Layout::shared ? shape_.region_bytes() : 0;
        Access one;
        one.verb = parts.verb;
        one.ranks = ranks;
        for (auto const places : parts.advance) {
            one.advance.push_back(static_cast<std::int64_t>(places * place));
        }
        std::vector<std::vector<Piece>> lists;
        for (std::uint64_t i = 0; i < ranks.count; ++i) {
            auto const rank = rank_at(one, i);
            lists.push_back({{rank.value * displacement, shape_.elements(parts.among, rank) * sizeof(double)}});
        }
        auto const length = lists.front().front().length;
        one.extent.start = parts.place * place;
        if (std::ranges::any_of(lists, [&](auto const& list) { return list.front().length != length; })) {
            one.lists = PieceLists(lists);
            return one;
        }
        one.extent.start += lists.front().front().offset;
        one.extent.length = length;
        if (displacement > 0 && ranks.count > 1) {
            one.rank_levels = {{ranks.count, static_cast<std::int64_t>(ranks.step * displacement)}};
        }
        return one;
    }

    Shape shape_;
    Course course_;
};

}  // namespace

void validate_course(Course const& course, Shape const& shape) {
    auto const gang = shape.ranks_of(Among::gang);
    for (auto const& [name, turns] :
         std::array{std::pair("read_turns", course.read_turns), std::pair("write_turns", course.write_turns)}) {
        validate(turns > 0 && gang % turns == 0, fmt::format("{} = {} does not divide a gang", name, turns),
                 fmt::format("it has {} ranks, of which one in so many takes its turn at once", gang),
                 "Choose a divisor.");
        validate(turns == 1 || !course.asynchronous, fmt::format("{} contradicts asynchronous", name),
                 "a rank's turn ends before its request does", "Leave one of them out.");
    }
    validate(!course.exponent || course.mode == Mode::io, "exponent contradicts mode = compute",
             "it is of the busy work in place of computing", "Leave one of them out.");
}

Pattern make_pattern(Shape const& shape, Course const& course) {
    validate_shape(shape);
    validate_course(course, shape);
    Maker const maker(shape, course);
    Pattern pattern{.name = fmt::format("cmb of {} pixels and {} bins", shape.pixels, shape.bins),
                    .ranks = shape.ranks,
                    .files = {{.name = "data", .per_rank = course.layout == Layout::file_per_process}},
                    .phases = {}};
    auto const add = [&](Stage stage, Steps steps) {
        Phase phase;
        phase.name = to_text(stage);
        phase.steps = std::move(steps);
        pattern.phases.push_back(std::move(phase));
    };
    add(Stage::signal, maker.signal());
    if (course.mode == Mode::compute) {
        add(Stage::inverse, maker.inverse());
    }
    add(Stage::product, maker.product());
    add(Stage::correction, maker.correction());
    validate_pattern(pattern);
    return pattern;
}

std::uint64_t requests_of_a_rank(Phase const& phase) {
    std::uint64_t requests = 0;
    each_access(phase.steps, [&](Access const& access, Loops const& loops) {
        requests += access.ranks.contains(Rank{0}) ? times(loops) : 0;
    });
    return requests;
}

}  // namespace weir::cmb
