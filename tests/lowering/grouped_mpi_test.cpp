// What lowering says of groups of ranks, and what the grouped back-end really does.

#include "lowering/grouped.hpp"

#include "core/json.hpp"
#include "pattern/pattern_json.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "comm/collective_error.hpp"
#include "pattern/expansion.hpp"
#include "storage/engine/engine.hpp"
#include "storage/grouped/grouping.hpp"
#include "support/patterns/count_deeds.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/sources.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct GroupsMadeReal : ::testing::Test {
    [[nodiscard]] std::uint64_t below(std::uint64_t n) { return random() % n; }

    /// Blocks of a grid, parts by counts, and a part that is the same for all, which is only read.
    Pattern any_pattern() {
        auto const ranks = comm.size();
        std::vector<std::uint64_t> counts(ranks);
        std::ranges::generate(counts, [&] { return below(4); });
        counts[0] += 1;
        auto const sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
        Pattern pattern{"groups", ranks, {{"data"}}, {}, Scaling::none, {}};
        pattern.partitions = {Partition{}, Partition{.first_fastest = below(2) == 0}, Partition{.counts = counts},
                              Partition{.same = IndexRange{below(sum), 1}}};
        auto& arrays = pattern.files[0].arrays;
        arrays.push_back({"header", {Element::Kind::text, 24}, {}, 0});
        arrays.push_back({"blocks", {Element::Kind::natural, 4}, {1 + below(9), 1 + below(9), 1 + below(9)}, 24});
        auto const end = [&] { return *arrays.back().offset + bytes_of(arrays.back()); };
        arrays.push_back({"counted", {Element::Kind::natural, 8}, {sum, 1 + below(3)}, end()});
        auto write = testing::phase_of("write", {Open{0}});
        auto read = testing::phase_of("read", {Open{0, OpenMode::read}});
        auto const add = [&](Phase& phase, Verb verb, std::uint64_t array, std::uint64_t partition) {
            auto access = access_to(pattern, verb, 0, array, partition, {0, array == 0 ? 1 : ranks, 1});
            phase.steps.emplace_back(std::move(access));
        };
        for (std::uint64_t array = 0; array < arrays.size(); ++array) {
            add(write, Verb::write, array, array);
            add(read, Verb::read, array, array);
        }
        add(read, Verb::read, 2, 3);
        write.steps.emplace_back(Sync{0});
        write.steps.emplace_back(Close{0});
        read.steps.emplace_back(Close{0});
        pattern.phases = {write, read};
        validate_pattern(pattern);
        return pattern;
    }

    /// An array of which one rank has all, written and read.
    [[nodiscard]] Pattern all_of_one(Partition const& partition, std::uint64_t elements) const {
        Pattern pattern{"one", comm.size(), {{"data"}}, {}, Scaling::none, {}};
        pattern.partitions = {partition};
        pattern.files[0].arrays.push_back({"all", {Element::Kind::natural, 8}, {elements}, 0});
        auto write = testing::phase_of("write", {Open{0}});
        auto read = testing::phase_of("read", {Open{0, OpenMode::read}});
        write.steps.emplace_back(access_to(pattern, Verb::write, 0, 0, 0, {0, comm.size(), 1}));
        read.steps.emplace_back(access_to(pattern, Verb::read, 0, 0, 0, {0, comm.size(), 1}));
        write.steps.emplace_back(Close{0});
        read.steps.emplace_back(Close{0});
        pattern.phases = {write, read};
        validate_pattern(pattern);
        return pattern;
    }

    /// Reads it in one group of all ranks from a file that ends within it.
    void read_cut(Pattern const& pattern, GroupRequests requests) {
        std::shared_ptr<Backend> const plain = Backends::instance().find("posix")->make();
        OptionSet set;
        plain->declare(set);
        GroupedBackend backend(plain, Grouping{comm.size(), comm.size(), GroupBy::count, requests});
        Engine engine(backend, comm, EngineSettings{.directory = directory.path()}, clock);
        engine.declare(pattern);
        engine.run(pattern.phases[0]);
        EXPECT_NO_THROW(engine.run(pattern.phases[1]));
        std::error_code failed;
        if (comm.is_root()) {
            std::filesystem::resize_file(directory.path() / "weir-data", sizeof(float), failed);
        }
        ASSERT_FALSE(any(comm, static_cast<bool>(failed))) << failed.message();
        EXPECT_THROW(engine.run(pattern.phases[1]), Error);
        engine.remove_files();
    }

    void compare(Pattern const& pattern, Grouping const& grouping) {
        std::shared_ptr<Backend> const plain = Backends::instance().find("posix")->make();
        OptionSet set;
        plain->declare(set);
        GroupedBackend backend(plain, grouping);
        Engine engine(backend, comm, EngineSettings{.directory = directory.path(), .times_calls = true}, clock);
        engine.declare(pattern);
        auto const made = grouped(pattern, grouping);
        testing::PlacedBytes source;
        for (auto const& phase : pattern.phases) {
            engine.run(phase, &source);
            auto const calls = engine.report(phase.name).calls;
            EXPECT_EQ(calls[IoCall::open].count, testing::count_of(made, phase.name, Action::open));
            EXPECT_EQ(calls[IoCall::close].count, testing::count_of(made, phase.name, Action::close));
            EXPECT_EQ(calls.write_sizes, testing::sizes_of(made, phase.name, Action::write));
            EXPECT_EQ(calls.read_sizes, testing::sizes_of(made, phase.name, Action::read));
            EXPECT_EQ(calls[IoCall::communication].count, testing::count_of(made, phase.name, Action::send) +
                                                              testing::count_of(made, phase.name, Action::receive) +
                                                              testing::count_of(made, phase.name, Action::broadcast));
        }
        engine.remove_files();
        replay(made);
    }

    /// The lowered pattern itself makes these calls too.
    void replay(Pattern const& made) {
        auto const plain = Backends::instance().find("posix")->make();
        OptionSet set;
        plain->declare(set);
        Engine engine(*plain, comm, EngineSettings{.directory = directory.path(), .times_calls = true}, clock);
        engine.declare(made);
        for (auto const& phase : made.phases) {
            engine.run(phase);
            auto const calls = engine.report(phase.name).calls;
            EXPECT_EQ(calls.write_sizes, testing::sizes_of(made, phase.name, Action::write));
            EXPECT_EQ(calls.read_sizes, testing::sizes_of(made, phase.name, Action::read));
            EXPECT_EQ(calls[IoCall::communication].count, messages(made, phase.name));
        }
        engine.remove_files();
    }
    static std::uint64_t messages(Pattern const& made, std::string_view phase) {
        return testing::count_of(made, phase, Action::send) + testing::count_of(made, phase, Action::receive) +
               testing::count_of(made, phase, Action::broadcast);
    }

    std::mt19937_64 random{18};
    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory directory{comm};
    MonotonicClock clock;
};

TEST_F(GroupsMadeReal, CountsTheCallsThatAreMade) {
    for (int trial = 0; trial < 24; ++trial) {
        SCOPED_TRACE(trial);
        auto const pattern = any_pattern();
        Grouping const grouping{1 + below(comm.size() + 1), 1 + below(comm.size() + 1), GroupBy::count,
                                GroupRequests{below(2) == 0}};
        compare(pattern, grouping);
        if (comm.max(std::uint64_t{HasFailure() ? 1U : 0U}) != 0) {
            FAIL() << grouping.read << " " << grouping.write << " " << to_text(grouping.requests) << ": "
                   << json_text(to_json(pattern));
        }
    }
}

TEST_F(GroupsMadeReal, ReadNoMembersPartFromAFileThatEndsWithinIt) {
    for (auto const requests : {GroupRequests::member, GroupRequests::combined}) {
        SCOPED_TRACE(to_text(requests));
        read_cut(all_of_one(Partition{}, 1), requests);  // blocks: of one element, the first rank has all
        for (std::uint64_t member = 0; member < comm.size(); ++member) {
            std::vector<std::uint64_t> counts(comm.size());
            counts[member] = 4;
            read_cut(all_of_one(Partition{.counts = counts}, 4), requests);
        }
    }
}

TEST_F(GroupsMadeReal, ComeBackFromTheirText) {
    auto const made = grouped(any_pattern(), {comm.size(), 2});
    EXPECT_EQ(pattern_from_json(to_json(made)), made);
}

}  // namespace
}  // namespace weir
