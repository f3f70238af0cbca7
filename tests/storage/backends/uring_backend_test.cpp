// What the back-end uring does beside its contract. It is found by name, since a build may lack it.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "support/arrays/irregular.hpp"
#include "support/patterns/backend_case.hpp"
#include "support/skip.hpp"

namespace weir {
namespace {

struct Uring : testing::BackendCase {
    Uring() : BackendCase("uring", Communicator()) {
        parameters = {.block = Bytes{64 << 10}, .transfer = Bytes{4 << 10}};
    }
    void SetUp() override {
        BackendCase::SetUp();
        WEIR_SKIP_IF(IsSkipped()) << "it cannot be prepared";
        try {
            std::vector<std::byte> buffer(8);
            backend->prepare(buffer);
        } catch (Error const& error) {
            GTEST_SKIP() << error.what();
        }
    }

    PhaseResult run(std::size_t phase) {
        if (!engine) {
            pattern = make_pattern(parameters);
            start(parameters.check);
        }
        return engine->measure(pattern.phases.at(phase));
    }

    void start(bool stamps) {
        engine.emplace(*backend, pattern, EngineSettings{directory.path(), stamps}, comm, clock);
    }
    Pattern pattern;
    std::optional<testing::PatternEngine> engine;
};

TEST_F(Uring, KeepsItsQueueFull) {
    for (auto const depth : {1, 3, 16}) {
        options.set("queue_depth", depth);
        engine.reset();
        for (auto const phase : {0U, 1U}) {
            auto const result = run(phase);
            EXPECT_EQ(result.ranks.at(0).requests, 16U);
            EXPECT_EQ(result.hints.all.at("most_on_their_way"), std::to_string(depth));
            EXPECT_EQ(result.hints.all.at("queue_depth"), std::to_string(depth));
        }
    }
}

TEST_F(Uring, NeedsNotBeFilled) {
    options.set("queue_depth", 1000);
    EXPECT_EQ(run(0).hints.all.at("most_on_their_way"), "16");
}

TEST_F(Uring, MakesCheckedRequestsOneByOne) {
    parameters.check = true;
    for (auto const phase : {0U, 2U}) {
        auto const result = run(phase);
        EXPECT_EQ(result.hints.all.at("most_on_their_way"), "1");
        EXPECT_EQ(result.words.wrong, 0U);
    }
}

TEST_F(Uring, WritesEverythingThatItCounts) {
    parameters.offsets = Offsets::shuffled;
    run(0);
    auto const path = engine->path_of(0, Rank{0});
    EXPECT_EQ(std::filesystem::file_size(path), 64U << 10);
    // All requests write the same bytes.
    std::ifstream file(path, std::ios::binary);
    std::string const all{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t at = 0; at < all.size(); at += 4 << 10) {
        EXPECT_EQ(all.compare(at, 4 << 10, all, 0, 4 << 10), 0) << at;
    }
}

TEST_F(Uring, SaysThatAFileIsTooShort) {
    run(0);
    std::filesystem::resize_file(engine->path_of(0, Rank{0}), (40 << 10) + 100);
    auto const error = testing::error_of([&] { run(1); });
    EXPECT_TRUE(testing::has(error.diagnosis().problem, "bytes could be read"));
    // The queue can be used again.
    EXPECT_EQ(run(0).ranks.at(0).requests, 16U);
}

TEST_F(Uring, HasMoreFilesOpenThanItsTableHasRoomFor) {
    parameters.files = 100;
    parameters.block = parameters.transfer;
    pattern = make_pattern(parameters);
    auto& steps = pattern.phases.at(0).steps;
    auto const rank_of = [](Step const& step) {
        return std::holds_alternative<Open>(step) ? 0 : std::holds_alternative<Close>(step) ? 2 : 1;
    };
    std::stable_sort(steps.begin(), steps.end(), [&](Step const& a, Step const& b) { return rank_of(a) < rank_of(b); });
    start(false);
    EXPECT_EQ(run(0).ranks.at(0).requests, 100U);
    EXPECT_EQ(run(1).ranks.at(0).requests, 100U);
}

TEST_F(Uring, HasThePiecesOfOneRequestOnTheirWayTogether) {
    options.set("queue_depth", 8);
    pattern = testing::irregular_pattern(1, 200, true, false);
    start(true);
    EXPECT_EQ(run(0).hints.all.at("most_on_their_way"), "8");
    EXPECT_EQ(run(1).words.wrong, 0U);
    auto const path = engine->path_of(0, Rank{0});
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 16 * 8);
    auto const words = run(1).words;
    EXPECT_GT(words.missing, 0U);
    EXPECT_EQ(words.wrong, words.missing);
}

}  // namespace
}  // namespace weir
