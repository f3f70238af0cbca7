// What cannot be carried out is refused, by the reason that holds.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "pattern/pattern.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

constexpr std::uint64_t two_to_62 = std::uint64_t{1} << 62;

/// A pattern of four ranks and one phase, which makes these steps on an open file.
Pattern of_steps(std::vector<Step> steps) {
    steps.insert(steps.begin(), Open{0});
    steps.emplace_back(Close{0});
    return {"p", 4, {{"data"}}, {testing::phase_of("p", std::move(steps))}};
}

/// Each of four ranks has ten pieces of 8 bytes.
Access pieces() { return testing::access_of({0, 4, 1}, {{4, 80}}, {0, {{10, 8}}, 8}); }

Access listed() {
    auto access = pieces();
    access.rank_levels = {};
    access.extent = {};
    access.lists = PieceLists({{{0, 8}, {8, 8}}, {{16, 8}}, {}, {{24, 8}}});
    return access;
}

void expect_refused(Pattern const& pattern, std::string const& words) {
    testing::expect_error(ExitCode::usage, words, [&] { validate_pattern(pattern); });
}

/// The access is fine before the change and refused after it.
template <class Change>
void expect_refused(Access access, std::string const& words, Change change) {
    EXPECT_NO_THROW(validate_pattern(of_steps({access}))) << words;
    change(access);
    expect_refused(of_steps({access}), words);
}

TEST(ValidatePattern, RefusesExtents) {
    expect_refused(pieces(), "an extent has length 0", [](Access& a) {
        a.extent.length = 0;
        a.list_io = true;
    });
    expect_refused(pieces(), "a level has count 0", [](Access& a) { a.extent.levels[0].count = 0; });
    expect_refused(pieces(), "before the start of the file", [](Access& a) { a.rank_levels[0].stride = -80; });
    expect_refused(pieces(), "beyond 2^63", [](Access& a) { a.extent.start = (two_to_62 - 1) * 2; });
    expect_refused(pieces(), "2^63 pieces or more", [](Access& a) { a.extent.levels = {{two_to_62, 0}, {2, 0}}; });
    for (std::uint64_t const places : {2, 3, 5, 8}) {
        expect_refused(pieces(), "the nested strides of ranks do not have as many positions", [&](Access& a) {
            a.rank_levels = {{places, 80}};
        });
    }
    expect_refused(pieces(), "a rank set is empty", [](Access& a) { a.ranks.step = 0; });
}

TEST(ValidatePattern, CountsBytesOfRepeats) {
    auto access = pieces();
    access.extent = {0, {}, std::uint64_t{1} << 40};
    access.rank_levels = {};
    auto const repeated = [&](std::uint64_t count) { return of_steps({Repeat{count, {access}}}); };
    EXPECT_NO_THROW(validate_pattern(repeated((std::uint64_t{1} << 21) - 1)));
    expect_refused(repeated(std::uint64_t{1} << 21), "2^63 bytes or more in all");
}

TEST(ValidatePattern, RefusesOrders) {
    expect_refused(pieces(), "one request have no order", [](Access& a) {
        a.list_io = true;
        a.order = {OrderKind::shuffled, 1, 0};
    });
    expect_refused(pieces(), "ranks are displaced in the extent of a random partition", [](Access& a) {
        a.order = {OrderKind::random_partition, 1, 2};
    });
    auto partition = pieces();
    partition.rank_levels = {};
    partition.order = {OrderKind::random_partition, 1, 2};
    expect_refused(partition, "a random partition has more pieces than its extent",
                   [](Access& a) { a.order.draws = 3; });
}

TEST(ValidatePattern, RefusesManners) {
    auto mixed = pieces();
    mixed.verb = Verb::mixed;
    mixed.read_percent = 100;
    expect_refused(mixed, "more than 100 percent", [](Access& a) { a.read_percent = 101; });
    expect_refused(mixed, "cannot be mixed", [](Access& a) { a.list_io = true; });
    expect_refused(pieces(), "a pause is out of range", [](Access& a) { a.pace.think = Seconds{-1}; });
    expect_refused(pieces(), "a pause is out of range", [](Access& a) { a.pace.think = Seconds{1e7}; });
}

TEST(ValidatePattern, RefusesLists) {
    expect_refused(listed(), "3 lists for 4 ranks", [](Access& a) { a.lists = PieceLists({{{0, 8}}, {}, {}}); });
    expect_refused(listed(), "length 0", [](Access& a) { a.lists = PieceLists({{{0, 0}}, {}, {}, {}}); });
    expect_refused(listed(), "beyond 2^63", [](Access& a) { a.extent.start = 2 * two_to_62 - 1; });
    expect_refused(listed(), "cannot be drawn", [](Access& a) { a.order = {OrderKind::random, 1, 1}; });
    auto back = listed();
    back.advance = {-8};
    back.lists = PieceLists({{{16, 8}}, {}, {}, {{24, 8}}});
    EXPECT_NO_THROW(validate_pattern(of_steps({Repeat{3, {back}}})));
    expect_refused(of_steps({Repeat{4, {back}}}), "before the start of the file");
    back.advance = {8};
    back.extent.start = 2 * two_to_62 - 1 - 32 - 16;
    EXPECT_NO_THROW(validate_pattern(of_steps({Repeat{3, {back}}})));
    expect_refused(of_steps({Repeat{4, {back}}}), "beyond 2^63");
}

TEST(ValidatePattern, RefusesOtherSteps) {
    expect_refused(of_steps({Compute{Seconds{1e7}}}), "computing time is out of range");
    expect_refused(of_steps({Preallocate{0, 2 * two_to_62}}), "reserves 2^63 bytes");
    EXPECT_NO_THROW(validate_pattern(of_steps({Preallocate{0, 2 * two_to_62 - 1}, Compute{Seconds{1e6}}})));
}

TEST(ValidatePattern, RefusesWritesToWhatIsOpenToBeRead) {
    auto pattern = of_steps({pieces()});
    std::get<Open>(pattern.phases[0].steps[0]).mode = OpenMode::read;
    for (auto const verb : {Verb::write, Verb::mixed, Verb::read, Verb::check}) {
        auto& access = std::get<Access>(pattern.phases[0].steps[1]);
        access.verb = verb;
        access.read_percent = verb == Verb::mixed ? 50 : 0;
        if (verb == Verb::write || verb == Verb::mixed) {
            expect_refused(pattern, "file 0 is written, and was opened to be read");
        } else {
            EXPECT_NO_THROW(validate_pattern(pattern));
        }
    }
}

TEST(ValidatePattern, RefusesReservationsInWhatIsOpenToBeRead) {
    auto pattern = of_steps({Preallocate{0, 100}});
    EXPECT_NO_THROW(validate_pattern(pattern));
    std::get<Open>(pattern.phases[0].steps[0]).mode = OpenMode::read;
    expect_refused(pattern, "file 0 gets space reserved, and was opened to be read");
}

TEST(ValidatePattern, RefusesLongNames) {
    auto pattern = of_steps({pieces()});
    pattern.files[0].name = std::string(200, 'x');
    EXPECT_NO_THROW(validate_pattern(pattern));
    pattern.files[0].name += 'x';
    expect_refused(pattern, "has 201 bytes");
}

TEST(ValidatePattern, RefusesLimits) {
    auto pattern = of_steps({pieces()});
    auto& phase = pattern.phases[0];
    auto& access = std::get<Access>(phase.steps[1]);
    phase.tail_limit = Seconds{1};
    expect_refused(pattern, "bounds a tail that it does not have");
    phase.time_limit = Seconds{1};
    expect_refused(pattern, "bounds a tail that it does not have");
    phase.wear_out = true;
    EXPECT_NO_THROW(validate_pattern(pattern));
    access.list_io = true;
    expect_refused(pattern, "one request cannot wear out");
    access.list_io = false;
    phase.tail_limit = Seconds{-1};
    expect_refused(pattern, "bounds a tail");
}

}  // namespace
}  // namespace weir
