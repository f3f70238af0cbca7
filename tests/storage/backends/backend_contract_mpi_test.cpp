// What every back-end must do. The parameters come from the registry: a new back-end is tested by being there.

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <fstream>

#include "comm/collective_error.hpp"
#include "core/text_file.hpp"
#include "pattern/parametric.hpp"
#include "storage/engine/wrong_words.hpp"
#include "support/arrays/irregular.hpp"
#include "support/failures/error_of.hpp"
#include "support/failures/file_size_limit.hpp"
#include "support/file_bytes.hpp"
#include "support/mpi/on_root.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/patterns/pattern_engine.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

struct BackendContract : testing::EachBackend {
    template <class Work>
    static Diagnosis failure_of(Work work) {
        std::optional<Diagnosis> failure;
        keep_failure(failure, work);
        return failure.value_or(Diagnosis{});
    }

    void run_all(Parameters const& p) { run_pattern(make_pattern(p)); }

    /// An engine for the pattern of the parameters.
    void start(EngineSettings settings) {
        pattern = make_pattern(parameters);
        start(pattern, std::move(settings));
    }
    void start(Pattern const& one, EngineSettings settings) {
        settings.seed = parameters.seed;
        engine.emplace(*backend, one, settings, comm, clock);
    }

    void run_pattern(Pattern one) {
        pattern = std::move(one);
        start(pattern, {.directory = directory.path(), .stamps = kind.features().stores});
        for (auto const& phase : pattern.phases) {
            if (phase.name == "check" && !kind.features().stores) {
                continue;
            }
            last = engine->measure(phase);
            ASSERT_EQ(last.words.wrong, 0U) << diagnose(last.words, pattern, *engine, kind.features()).problem;
        }
        auto const expected = kind.features().stores ? bytes_checked() / 8 : 0;
        EXPECT_EQ(last.words.checked, expected);
    }

    /// Of the last phase.
    [[nodiscard]] std::uint64_t bytes_checked() const {
        auto only = pattern;
        only.phases.erase(only.phases.begin(), only.phases.end() - 1);
        return totals(only).bytes_read;
    }

    /// Writes while one rank may write only the beginning of a file: either all ranks fail, or all have what they
    /// wrote.
    void run_where_one_rank_fails(std::uint64_t limited) {
        constexpr std::uint64_t beginning = 48 << 10;
        pattern = make_pattern(parameters);
        engine.emplace(*backend, pattern, EngineSettings{directory.path(), true, false, parameters.seed}, comm, clock);
        std::uint64_t failed = 0;
        try {
            testing::FileSizeLimit const limit(comm.rank() == limited ? beginning : RLIM_INFINITY);
            engine->measure(pattern.phases.at(0));
        } catch (Error const& error) {
            EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
            failed = 1;
        }
        auto const failures = comm.sum(failed);
        EXPECT_TRUE(failures == 0 || failures == comm.size()) << failures << " of " << comm.size();
        if (failures == 0) {
            // Another rank may have written what the limited one asked for.
            EXPECT_TRUE(parameters.collective);
            EXPECT_EQ(engine->measure(pattern.phases.at(1)).words.wrong, 0U);
        }
        engine->remove_files();
    }

    /// Where in file 0 stands what the pattern has at this offset: there, or somewhere, in a format of its own.
    std::uint64_t place_of_word(std::uint64_t offset) {
        if (kind.features().raw) {
            return offset;
        }
        auto const content = read_text_file(engine->path_of(0, Rank{0})).value_or("");
        auto const word = engine->stamp_of(0, Rank{0}).word(offset / sizeof(std::uint64_t));
        auto const place = content.find(std::string(reinterpret_cast<char const*>(&word), sizeof word));
        EXPECT_NE(place, std::string::npos) << "the file does not hold what was written";
        return place;
    }

    Parameters parameters{.ranks = comm.size(),
                          .block = Bytes{64 << 10},
                          .transfer = Bytes{4 << 10},
                          .segments = 3,
                          .check = true,
                          .seed = 11};
    Pattern pattern;
    std::optional<testing::PatternEngine> engine;
    PhaseResult last;
};

TEST_P(BackendContract, ReadsBackWhatWasWrittenToASharedFile) { run_all(parameters); }

TEST_P(BackendContract, ReadsBackWhatWasWrittenToAFileOfEachProcess) {
    parameters.layout = Layout::file_per_process;
    parameters.files = 2;
    run_all(parameters);
}

TEST_P(BackendContract, WritesInAnyOrder) {
    for (auto const offsets : {Offsets::strided, Offsets::shuffled, Offsets::random, Offsets::random_partition}) {
        parameters.offsets = offsets;
        run_all(parameters);
    }
}

TEST_P(BackendContract, LetsOtherRanksReadWhatOneWrote) {
    for (auto const layout : {Layout::shared, Layout::file_per_process}) {
        parameters.layout = layout;
        parameters.reorder = Readers::node;
        run_all(parameters);
    }
}

TEST_P(BackendContract, SyncsAfterEveryRequestAndPreallocates) {
    parameters.sync = SyncWhen::write;
    parameters.preallocate = true;
    run_all(parameters);
    EXPECT_EQ(totals(pattern).syncs, comm.size() * 48);
}

TEST_P(BackendContract, ReservesSpaceBeforeItWrites) {
    WEIR_NEEDS(stores);
    for (Ranks const& who : {Ranks{}, Ranks{{0, 1, 1}}, Ranks{{comm.size() - 1, 1, 1}}}) {
        std::vector<Step> const steps{Open{0, OpenMode::create}, Preallocate{0, 1 << 20, who}, Close{0}};
        Pattern const reserve{"reserve", comm.size(), {{"data"}}, {testing::phase_of("write", steps)}};
        auto only = engine_for(reserve, {directory.path()});
        only.measure(reserve.phases.at(0));
        struct stat status {};
        ASSERT_EQ(stat(only.path_of(0, Rank{0}).c_str(), &status), 0);
        EXPECT_GE(status.st_blocks * 512, 1 << 20);
        comm.barrier();
    }
}

TEST_P(BackendContract, KeepsFilesOpenWhereOnlyTransfersAreTimed) {
    parameters.timed = Timed::transfer;
    parameters.overwrite = true;
    run_all(parameters);
    parameters.files = 2;
    parameters.layout = Layout::file_per_process;
    parameters.reorder = Readers::node;
    run_all(parameters);
}

TEST_P(BackendContract, MakesACallForARequestWithoutBytesIfItSaysSo) {
    WEIR_NEEDS(empty);
    parameters.block = parameters.transfer = Bytes{0};
    parameters.check = false;
    for (auto const collective : {false, true}) {
        parameters.collective = collective && kind.features().collective;
        pattern = make_pattern(parameters);
        start(pattern, {.directory = directory.path()});
        EXPECT_EQ(engine->measure(pattern.phases.at(0)).calls[IoCall::write].count, 3 * comm.size());
        EXPECT_EQ(engine->measure(pattern.phases.at(1)).calls[IoCall::read].count, 3 * comm.size());
        engine->remove_files();
    }
}

TEST_P(BackendContract, WorksCollectivelyIfItSaysSo) {
    WEIR_NEEDS(collective);
    parameters.collective = true;
    run_all(parameters);
}

TEST_P(BackendContract, WritesListsOfPieces) {
    for (auto const& [together, collective] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
        if (collective && (!kind.features().collective || (together && !kind.features().pieces))) {
            continue;
        }
        run_pattern(testing::irregular_pattern(comm.size(), 200, together, collective));
    }
}

TEST_P(BackendContract, MixesReadsAndWrites) {
    parameters.mixed = true;
    parameters.read_percent = 40;
    run_all(parameters);
    if (kind.features().collective) {
        parameters.collective = true;
        run_all(parameters);
    }
}

TEST_P(BackendContract, EndsOnAllRanksWhereOneCannotWrite) {
    WEIR_NEEDS(stores);
    parameters.read = false;
    for (auto const collective : {false, true}) {
        parameters.collective = collective && kind.features().collective;
        for (auto const sync : {SyncWhen::close, SyncWhen::write}) {
            parameters.sync = sync;
            for (auto const limited : {std::uint64_t{0}, comm.size() - 1}) {
                run_where_one_rank_fails(limited);
            }
        }
    }
}

TEST_P(BackendContract, MixedRequestsWriteWhatTheyDoNotRead) {
    WEIR_NEEDS(stores);
    parameters.read = false;
    parameters.mixed = true;
    parameters.read_percent = 25;
    for (auto const collective : {false, kind.features().collective}) {
        parameters.collective = collective;
        pattern = make_pattern(parameters);
        engine_for(pattern, {.directory = directory.path(), .stamps = true, .seed = 11}).measure(pattern.phases.at(0));
        // Of another seed: what it does not overwrite is wrong.
        auto second = engine_for(pattern, {.directory = directory.path(), .stamps = true, .seed = 12});
        auto const mixed = second.measure(pattern.phases.at(1));
        EXPECT_EQ(second.measure(pattern.phases.at(2)).words.wrong, comm.size() * 12 * (4 << 10) / 8);
        EXPECT_TRUE(mixed.reads && mixed.writes);
    }
}

TEST_P(BackendContract, RemovesItsFiles) {
    run_all(parameters);
    EXPECT_EQ(directory.entries_of_all(), kind.features().stores ? 1 : 0);
    engine->remove_files();
    EXPECT_EQ(directory.entries(), 0);
}

TEST_P(BackendContract, SaysOnAllRanksThatADirectoryIsNotThere) {
    WEIR_NEEDS(stores);
    pattern = make_pattern(parameters);
    testing::PatternEngine broken(*backend, pattern, EngineSettings{directory.path() / "missing"}, comm, clock);
    auto const said = testing::refusal_of(ExitCode::cannot_run, [&] { broken.measure(pattern.phases.at(0)); });
    EXPECT_TRUE(testing::has(said.problem, "missing"));
    EXPECT_FALSE(said.suggestion.empty());
}

TEST_P(BackendContract, FollowsNoLinkWhereAFileShouldBe) {
    WEIR_NEEDS(stores);
    parameters.write = false;
    auto const planted = directory.path() / "weir-data";
    run_together(comm, [&] {
        if (comm.is_root()) {
            std::ofstream(directory.path() / "target")
                << std::string(parameters.segments * 64 * 1024 * comm.size(), 'x');
            std::filesystem::create_symlink("target", planted);
        }
    });
    start({.directory = directory.path(), .drop_caches = true});
    EXPECT_EQ(failure_of([&] { engine->measure(pattern.phases.at(0)); }).reason, "it is a link");
    // Nor where it comes later than the engine looks.
    for (auto const mode : {OpenMode::read, OpenMode::update}) {
        for (auto const collective : {false, true}) {
            OpenRequest const request{planted, mode, comm, collective && kind.features().collective,
                                      4096,    4096, 4096, {}};
            auto const failure = failure_of([&] { run_together(comm, [&] { backend->open(request); }); });
            // PnetCDF looks at the first bytes itself, and finds none of its own.
            EXPECT_TRUE(GetParam() == "pnetcdf" || failure.reason == "Too many levels of symbolic links")
                << failure.problem << ": " << failure.reason;
            EXPECT_EQ(failure.exit_code, ExitCode::cannot_run);
        }
    }
}

TEST_P(BackendContract, WaitsForNoPipeWhereAFileShouldBe) {
    WEIR_NEEDS(stores);
    parameters.write = false;
    run_together(comm, [&] {
        if (comm.is_root()) {
            ASSERT_EQ(::mkfifo((directory.path() / "weir-data").c_str(), 0600), 0);
        }
    });
    start({.directory = directory.path(), .drop_caches = true});
    EXPECT_EQ(failure_of([&] { engine->measure(pattern.phases.at(0)); }).reason, "it is no file");
}

TEST_P(BackendContract, FindsAFlippedByteInTheFile) {
    WEIR_NEEDS(stores);
    parameters.read = false;
    start({.directory = directory.path(), .stamps = true});
    engine->measure(pattern.phases.at(0));
    testing::on_root(comm, [&] { testing::flip_bits(engine->path_of(0, Rank{0}), place_of_word(12344) + 1, 1); });
    last = engine->measure(pattern.phases.at(1));
    EXPECT_EQ(last.words.wrong, 1U);
    EXPECT_EQ(last.words.offset, 12344U);
    EXPECT_EQ(diagnose(last.words, pattern, *engine, kind.features()).exit_code, ExitCode::wrong_data);
}

TEST_P(BackendContract, MissesWhatIsBeyondTheEndOfTheFile) {
    WEIR_NEEDS(stores);
    WEIR_NEEDS(raw);
    parameters.read = false;
    start({.directory = directory.path(), .stamps = true});
    engine->measure(pattern.phases.at(0));
    auto const size = totals(pattern).bytes_on_disk;
    testing::on_root(comm, [&] { std::filesystem::resize_file(engine->path_of(0, Rank{0}), size - 8); });
    last = engine->measure(pattern.phases.at(1));
    EXPECT_EQ(last.words.wrong, 1U);
    EXPECT_EQ(last.words.missing, 1U);
    EXPECT_EQ(last.words.offset, size - 8);
}

INSTANTIATE_TEST_SUITE_P(All, BackendContract, ::testing::ValuesIn(testing::all_backends()), testing::by_name);

}  // namespace
}  // namespace weir
