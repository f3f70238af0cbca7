// Requests at each kind of file pointer of MPI-IO: the bytes of the files, on 1 to 4 ranks.

#include <gtest/gtest.h>

#include <map>

#include "support/file_bytes.hpp"
#include "support/mpi/on_root.hpp"
#include "support/patterns/backend_case.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

using FileBytes = std::vector<std::byte>;

/// Three of four ranks, or all: the last one of four stands aside.
Communicator of_four(bool all) {
    auto const world = Communicator::world();
    return world.split(!all && world.size() == 4 && world.rank() == 3 ? 1 : 0);
}

struct Pointers : testing::BackendCase, ::testing::WithParamInterface<std::tuple<char const*, bool, bool>> {
    Pointers() : BackendCase("mpiio", of_four(std::get<2>(GetParam()))) {}

    void SetUp() override {
        auto const four = Communicator::world().size() == 4;
        WEIR_SKIP_IF(!std::get<2>(GetParam()) && !four) << "these are all ranks";
        BackendCase::SetUp();
        options.set("pointer", pointer());
    }

    [[nodiscard]] static std::string pointer() { return std::get<0>(GetParam()); }
    [[nodiscard]] static bool collective() { return std::get<1>(GetParam()); }
    /// Is the place of each request known?
    [[nodiscard]] bool places() const { return pointer() != "shared" || collective() || comm.size() == 1; }

    /// Each rank has `count` requests of these lengths, in turn, one of each rank after the other.
    [[nodiscard]] Access access_of_lengths(std::vector<std::uint64_t> const& lengths, std::uint64_t count) const {
        std::vector<std::vector<Piece>> lists(comm.size());
        std::uint64_t offset = 0;
        for (std::uint64_t i = 0; i < count * comm.size(); ++i) {
            auto const length = lengths[i % lengths.size()];
            if (length > 0) {
                lists[i % comm.size()].push_back({offset, length});
            }
            offset += length;
        }
        Access access;
        access.ranks = {0, comm.size(), 1};
        access.lists = PieceLists(lists);
        return access;
    }

    [[nodiscard]] Access equal_access(std::uint64_t length, std::uint64_t count, std::uint64_t start = 0) const {
        auto const step = static_cast<std::int64_t>(length);
        auto const all = step * static_cast<std::int64_t>(comm.size());
        return testing::access_of({0, comm.size(), 1}, {{comm.size(), step}}, {start, {{count, all}}, length});
    }

    /// A pattern that writes such accesses in one phase, and has the same in a second one. The name of its file is its
    /// own: Open MPI's shared pointer has one lock for all files of a name on a node
    /// (docs/explanation/mpi-io-faults.md).
    [[nodiscard]] Pattern written(std::vector<Access> accesses, Verb second) const {
        auto const phase = [&](char const* name, OpenMode mode, Verb verb) {
            std::vector<Step> steps{Open{0, mode}};
            for (auto access : accesses) {
                access.verb = verb;
                steps.emplace_back(access);
            }
            steps.emplace_back(Close{0});
            auto one = testing::phase_of(name, steps);
            one.collective = collective();
            return one;
        };
        return {"pointers",
                comm.size(),
                {{directory.path().filename().string()}},
                {phase("write", OpenMode::create, Verb::write), phase("second", OpenMode::read, second)}};
    }

    testing::PatternEngine engine_for(Pattern const& pattern) {
        backend->check_files(pattern);
        return {*backend, pattern, EngineSettings{directory.path(), true, false, 7}, comm, clock};
    }

    /// The file has these bytes, or, where places are open, these requests in any order.
    void expect_stamps(Engine const& engine, std::uint64_t length) {
        testing::on_root(comm, [&] {
            auto const found = testing::bytes_of_file(engine.path_of(0, Rank{0}));
            FileBytes should(found.size());
            engine.stamp_of(0, Rank{0}).fill(should, 0);
            if (places()) {
                EXPECT_EQ(testing::difference(found, should), "");
            } else {
                EXPECT_EQ(requests_in(found, length), requests_in(should, length));
            }
        });
    }

    static std::map<FileBytes, int> requests_in(FileBytes const& bytes, std::uint64_t length) {
        std::map<FileBytes, int> counts;
        for (std::size_t at = 0; at < bytes.size(); at += length) {
            auto const first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
            ++counts[FileBytes(first, first + static_cast<std::ptrdiff_t>(std::min(length, bytes.size() - at)))];
        }
        return counts;
    }

    [[nodiscard]] std::uint64_t size_of_file(Engine const& engine) const {
        comm.barrier();
        return std::filesystem::file_size(engine.path_of(0, Rank{0}));
    }

    constexpr static std::uint64_t count = 5;
};

TEST_P(Pointers, PutBytesWhereThePatternHasThem) {
    for (std::uint64_t const length : {1, 8, 4099, 65537}) {
        auto const pattern = written({equal_access(length, count)}, Verb::read);
        auto engine = engine_for(pattern);
        engine.measure(pattern.phases[0]);
        EXPECT_EQ(size_of_file(engine), comm.size() * count * length);
        expect_stamps(engine, length);
        EXPECT_EQ(engine.measure(pattern.phases[1]).ranks[0].bytes_read, count * length);
        engine.remove_files();
    }
}

TEST_P(Pointers, TakeRequestsOfDifferentLengthsWherePlacesAreKnown) {
    auto const pattern = written({access_of_lengths({0, 1, 7, 13, 4099, 0, 0}, 8)}, Verb::check);
    if (!places()) {
        testing::expect_error(ExitCode::usage, "differ in length", [&] { backend->check_files(pattern); });
        return;
    }
    if (pointer() == "shared" && comm.size() > 1) {
        // A rank without a request in this round has its next one in it.
        testing::expect_error(ExitCode::usage, "order of ranks", [&] { backend->check_files(pattern); });
        return;
    }
    auto engine = engine_for(pattern);
    engine.measure(pattern.phases[0]);
    expect_stamps(engine, 1);
    EXPECT_EQ(engine.measure(pattern.phases[1]).words.wrong, 0U);
}

TEST_P(Pointers, TakeRanksThatHaveLessToDo) {
    if (!places()) {
        return;
    }
    // IMB's division of 7 bytes: some ranks have more than others, and the last ones nothing.
    auto lists = std::vector<std::vector<Piece>>(comm.size());
    std::uint64_t offset = 0;
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t rank = 0; rank < std::min<std::uint64_t>(2, comm.size()); ++rank) {
            lists[rank].push_back({offset, 4 - rank});
            offset += 4 - rank;
        }
    }
    auto access = access_of_lengths({1}, 1);
    access.lists = PieceLists(lists);
    auto const pattern = written({access}, Verb::check);
    auto engine = engine_for(pattern);
    engine.measure(pattern.phases[0]);
    EXPECT_EQ(size_of_file(engine), offset);
    expect_stamps(engine, 1);
    EXPECT_EQ(engine.measure(pattern.phases[1]).words.wrong, 0U);
}

TEST_P(Pointers, GoOnFromOneAccessToTheNext) {
    auto const half = comm.size() * count * 64;
    auto const pattern = written({equal_access(64, count, half), equal_access(64, count)}, Verb::check);
    auto engine = engine_for(pattern);
    engine.measure(pattern.phases[0]);
    EXPECT_EQ(size_of_file(engine), 2 * half);
    expect_stamps(engine, 64);
    auto const check = engine.measure(pattern.phases[1]);
    EXPECT_FALSE(check.words.any());
    EXPECT_EQ(check.words.checked, 2 * half / 8);
}

TEST_P(Pointers, MoveOnlyWhereTheyMust) {
    auto const pattern = written({equal_access(64, count)}, Verb::read);
    auto engine = engine_for(pattern);
    auto const& calls = engine.measure(pattern.phases[0]).calls;
    EXPECT_EQ(calls[IoCall::write].count, comm.size() * count);
    EXPECT_EQ(calls[IoCall::write].bytes, comm.size() * count * 64);
    // The first request of rank 0 is where its pointer is; with one rank, all are.
    auto const seeks = comm.size() == 1 ? 0 : comm.size() * count - 1;
    EXPECT_EQ(calls[IoCall::seek].count, pointer() == "individual" ? seeks : 0);
}

TEST_P(Pointers, FindAFlippedBit) {
    auto const pattern = written({equal_access(64, count)}, Verb::check);
    auto engine = engine_for(pattern);
    engine.measure(pattern.phases[0]);
    testing::on_root(comm, [&] { testing::flip_bits(engine.path_of(0, Rank{0}), 64 + 20, 1); });
    auto const words = engine.measure(pattern.phases[1]).words;
    EXPECT_EQ(words.wrong, 1U);
    EXPECT_EQ(words.placed, places());
    testing::on_root(comm, [&] { testing::flip_bits(engine.path_of(0, Rank{0}), 64, 1); });
    EXPECT_EQ(engine.measure(pattern.phases[1]).words.wrong, places() ? 2U : 8U)
        << "which request it is cannot be told";
}

TEST_P(Pointers, FindARequestThatIsThereTwice) {
    auto const pattern = written({equal_access(64, count)}, Verb::check);
    auto engine = engine_for(pattern);
    engine.measure(pattern.phases[0]);
    testing::on_root(comm, [&] {
        auto bytes = testing::bytes_of_file(engine.path_of(0, Rank{0}));
        std::copy_n(bytes.begin(), 64, bytes.begin() + 128);
        testing::make_file(engine.path_of(0, Rank{0}), bytes);
    });
    auto const words = engine.measure(pattern.phases[1]).words;
    EXPECT_TRUE(words.any());
    EXPECT_EQ(words.wrong, places() ? 8U : 0U);
}

TEST_P(Pointers, FindAFileCutShort) {
    auto const pattern = written({equal_access(64, count)}, Verb::check);
    auto engine = engine_for(pattern);
    engine.measure(pattern.phases[0]);
    testing::on_root(comm, [&] {
        auto bytes = testing::bytes_of_file(engine.path_of(0, Rank{0}));
        bytes.resize(bytes.size() - 24);
        testing::make_file(engine.path_of(0, Rank{0}), bytes);
    });
    auto const words = engine.measure(pattern.phases[1]).words;
    EXPECT_EQ(words.wrong, places() ? 3U : 8U);
    // Open MPI's ompio (4.1) reports a complete collective read.
    EXPECT_TRUE(collective() || words.missing == 3) << words.missing;
}

TEST_P(Pointers, BeginRequestsWithoutWaiting) {
    if (collective()) {
        return;
    }
    auto access = equal_access(4096, count);
    access.asynchronous = true;
    auto const pattern = written({access}, Verb::read);
    auto engine = engine_for(pattern);
    engine.measure(pattern.phases[0]);
    EXPECT_EQ(size_of_file(engine), comm.size() * count * 4096);
    expect_stamps(engine, 4096);
    EXPECT_EQ(engine.measure(pattern.phases[1]).ranks[0].bytes_read, count * 4096);
}

std::string name_of_case(::testing::TestParamInfo<Pointers::ParamType> const& one) {
    auto const& [pointer, collective, all] = one.param;
    return fmt::format("{}_{}{}", pointer, collective ? "collective" : "independent", all ? "" : "_of_three");
}

INSTANTIATE_TEST_SUITE_P(All, Pointers,
                         ::testing::Combine(::testing::Values("explicit", "individual", "shared"), ::testing::Bool(),
                                            ::testing::Bool()),
                         name_of_case);

struct OnePointer : testing::BackendCase {
    OnePointer() : BackendCase("mpiio") {}
};

TEST_F(OnePointer, OfEachRankGoesForwardThroughAFileView) {
    options.set("file_view", true);
    options.set("pointer", "individual");
    keeps_every_word("file_view, individual");
}

TEST_F(OnePointer, OfEachRankGoesAnywhere) {
    options.set("pointer", "individual");
    keeps_every_word("individual");
    parameters.offsets = Offsets::strided;
    parameters.list_io = true;
    EXPECT_EQ(run().words.wrong, 0U);
}

TEST_F(OnePointer, IsNotSharedByViewsOrApplications) {
    options.set("pointer", "shared");
    auto const pattern = make_pattern(parameters);
    struct None : DataSource {
        void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override {}
        void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override {}
    } source;
    testing::PatternEngine engine(*backend, pattern, EngineSettings{directory.path()}, comm, clock);
    testing::expect_error(ExitCode::usage, "contradicts an application's data",
                          [&] { engine.run(pattern.phases.at(0), &source); });
    options.set("file_view", true);
    testing::expect_error(ExitCode::usage, "file_view contradicts pointer", [&] { backend->check_files(pattern); });
}

}  // namespace
}  // namespace weir
