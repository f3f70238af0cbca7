// What lowering says, and what the two-phase back-end really does.

#include "lowering/lowering.hpp"

#include "core/json.hpp"
#include "pattern/pattern_json.hpp"

#include <gtest/gtest.h>

#include <random>

#include "pattern/expansion.hpp"
#include "storage/engine/engine.hpp"
#include "support/patterns/count_deeds.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/sources.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct LoweringMadeReal : ::testing::Test {
    [[nodiscard]] std::uint64_t below(std::uint64_t n) { return random() % n; }

    /// A file of a header and some arrays, written, synced and read.
    Pattern any_pattern() {
        auto const ranks = comm.size();
        Pattern pattern{"dump", ranks, {{"data"}}, {}, Scaling::none, {{}}};
        auto& arrays = pattern.files[0].arrays;
        arrays.push_back({"header", {Element::Kind::text, 24}, {}, 0});
        auto write = testing::phase_of("write", {Open{0}});
        auto read = testing::phase_of("read", {Open{0, OpenMode::read}});
        for (std::uint64_t array = 0; array < 1 + below(3) || array < 2; ++array) {
            if (array > 0) {
                std::vector<std::uint64_t> shape(1 + below(3));
                std::ranges::generate(shape, [&] { return 1 + below(20); });
                auto const end = *arrays.back().offset + bytes_of(arrays.back());
                arrays.push_back({"array " + std::to_string(array), {Element::Kind::natural, 4}, shape, end});
                Partition by;
                for (std::size_t k = 0; below(3) == 0 && k < shape.size(); ++k) {
                    by.block.push_back(below(3));
                }
                by.block.resize(by.block.empty() ? 0 : shape.size());
                pattern.partitions.push_back(by);
            }
            for (auto* phase : {&write, &read}) {
                auto access = access_to(pattern, phase == &write ? Verb::write : Verb::read, 0, array, array,
                                        {0, array == 0 ? 1 : ranks, 1});
                access.collective = array > 0;
                phase->steps.emplace_back(std::move(access));
            }
        }
        write.steps.emplace_back(Sync{0});
        write.steps.emplace_back(Close{0});
        read.steps.emplace_back(Close{0});
        pattern.phases = {write, read};
        validate_pattern(pattern);
        return pattern;
    }

    void compare(array::PlanOptions const& options) {
        tried_ = any_pattern();
        auto const& pattern = tried_;
        auto backend = Backends::instance().find("twophase")->make();
        OptionSet set;
        backend->declare(set);
        set.set("method", to_text(options.method));
        set.set("exchange", "messages");
        set.set("writers", options.writers);
        set.set("readers", options.readers);
        set.set("window", options.window.value);
        set.set("group", options.group);
        set.set("align", options.align.value);
        Engine engine(*backend, comm, EngineSettings{.directory = directory.path(), .times_calls = true}, clock);
        engine.declare(pattern);
        array::PlanFacts facts;
        facts.ranks = comm.size();
        Lowering how{.choice = choose(facts, options)};
        how.node.assign(comm.size(), 0);
        how.all_by_messages = true;
        auto const plain = lowered(pattern, how);
        testing::PlacedBytes source;
        for (auto const& phase : pattern.phases) {
            engine.run(phase, &source);
            auto const calls = engine.report(phase.name).calls;
            EXPECT_EQ(calls[IoCall::open].count, testing::count_of(plain, phase.name, Action::open));
            EXPECT_EQ(calls[IoCall::close].count, testing::count_of(plain, phase.name, Action::close));
            EXPECT_EQ(calls[IoCall::sync].count, testing::count_of(plain, phase.name, Action::sync));
            EXPECT_EQ(calls.write_sizes, testing::sizes_of(plain, phase.name, Action::write));
            EXPECT_EQ(calls.read_sizes, testing::sizes_of(plain, phase.name, Action::read));
            EXPECT_EQ(calls[IoCall::communication].count, testing::count_of(plain, phase.name, Action::send) +
                                                              testing::count_of(plain, phase.name, Action::receive));
        }
        engine.remove_files();
    }

    Pattern tried_;
    std::mt19937_64 random{14};
    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory directory{comm};
    MonotonicClock clock;
};

TEST_F(LoweringMadeReal, CountsTheCallsThatAreMade) {
    using array::Method;
    for (int trial = 0; trial < 48; ++trial) {
        SCOPED_TRACE(trial);
        array::PlanOptions options;
        options.method = std::array{Method::independent, Method::gather, Method::two_phase, Method::grouped}[trial % 4];
        options.writers = options.readers = 1 + below(comm.size());
        options.window = Bytes{std::array{64U, 1000U, 1U << 20}[below(3)]};
        options.group = 1 + below(comm.size());
        options.align = Bytes{std::array{1U, 64U, 4096U}[below(3)]};
        compare(options);
        if (comm.max(std::uint64_t{HasFailure() ? 1U : 0U}) != 0) {
            FAIL() << to_text(options.method) << " " << options.writers << " writers, window " << options.window.value
                   << ", group " << options.group << ", align " << options.align.value << ": "
                   << json_text(to_json(tried_));
        }
    }
}

}  // namespace
}  // namespace weir
