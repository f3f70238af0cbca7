// What every back-end with a file format of its own must do besides the contract.

#include <fstream>

#include "support/mpi/on_root.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/patterns/backend_case.hpp"
#include "support/patterns/pattern_engine.hpp"

namespace weir {
namespace {

struct Format : testing::BackendCase, ::testing::WithParamInterface<std::string> {
    Format() : BackendCase(GetParam()) {}
};

TEST_P(Format, TellsTheHintsThatAreInForce) { tells_hints_in_force(); }

TEST_P(Format, ReadsUpToTheEndOfADataset) {
    std::vector<std::byte> data(8 << 10);
    auto const file = open(OpenMode::create, 100 << 10, 64 << 10);
    file->preallocate(0);
    EXPECT_EQ(file->read({90 << 10, 8 << 10, 0}, data), 8U << 10);
    EXPECT_EQ(file->read({96 << 10, 8 << 10, 0}, data), 4U << 10);
    EXPECT_EQ(file->read({110 << 10, 8 << 10, 0}, data), 0U);
    file->close();
}

TEST_P(Format, KeepsEveryWordOfMoreDatasetsThanStayOpen) {
    parameters.datasets = DatasetUnit::segment;
    parameters.segments = 100;
    parameters.block = parameters.transfer = Bytes{512};
    keeps_every_word("a dataset a segment");
    parameters.preallocate = true;
    parameters.collective = false;
    EXPECT_EQ(run().words.wrong, 0U);
}

TEST_P(Format, LetsRanksGoToDifferentDatasetsByThemselvesInAFileForCollectiveRequests) {
    std::vector<std::byte> data(8, std::byte{7});
    auto const all = 8 * comm.size();
    auto const file = backend->open({directory.path() / "file", OpenMode::create, comm, true, 8, all, 8, {}, true});
    file->set_collective(false);
    file->write({8 * comm.rank(), 8, 0}, data);
    file->close();
    std::vector<std::byte> found(8);
    EXPECT_EQ(open(OpenMode::read, all, 8)->read({8 * comm.rank(), 8, 0}, found), 8U);
    EXPECT_EQ(found, data);
}

TEST_P(Format, EndsMakingDatasetsOnAllRanksWhenTheTimeOfOneIsOver) {
    OpenRequest request{directory.path() / "file", OpenMode::create, comm, false, 8, 8 * 1000, 8, {}, true};
    request.out_of_time = [&] { return comm.rank() == comm.size() - 1; };
    auto const made_when_written = GetParam() == "hdf5" && comm.size() == 1;
    if (made_when_written) {
        EXPECT_NO_THROW(backend->open(request)->close());
        return;
    }
    auto const failure = failure_of([&] { backend->open(request); });
    EXPECT_EQ(failure.exit_code, ExitCode::cannot_run);
    EXPECT_TRUE(testing::has(failure.problem, "time limit"));
    EXPECT_TRUE(testing::has(failure.suggestion, "datasets = one"));
}

TEST_P(Format, RefusesOnAllRanksRequestsThatLieInTwoDatasets) {
    for (auto const collective : {false, true}) {
        parameters.collective = collective;
        auto pattern = make_pattern(parameters);
        pattern.files.at(0).dataset_bytes = 10'000;
        testing::PatternEngine engine(*backend, pattern, EngineSettings{directory.path(), true}, comm, clock);
        testing::expect_error(
            ExitCode::usage, "two datasets", [&] { engine.measure(pattern.phases.at(0)); }, &Diagnosis::problem);
    }
}

TEST_P(Format, SplitsPiecesThatGoOnInTheNextDataset) {
    parameters.layout = Layout::file_per_process;
    parameters.datasets = DatasetUnit::segment;
    parameters.list_io = true;
    EXPECT_EQ(run().words.wrong, 0U);
}

TEST_P(Format, SaysInTheLibrarysWordsWhatIsWrongWithAFile) {
    testing::on_root(comm, [&] {
        std::ofstream(directory.path() / "file") << "something else, longer than the magic number of any format";
    });
    auto failure = failure_of([&] { open(OpenMode::read, 100, 100); });
    EXPECT_EQ(failure.exit_code, ExitCode::cannot_run);
    EXPECT_TRUE(testing::has(failure.problem, "cannot open"));
    EXPECT_TRUE(testing::has(failure.suggestion, "not written by this back-end"));
    open(OpenMode::create, 100, 100)->close();
    failure = failure_of([&] { open(OpenMode::read, 200, 100); });
    EXPECT_TRUE(testing::has(failure.suggestion, "not written by this back-end"));
}

INSTANTIATE_TEST_SUITE_P(All, Format, ::testing::ValuesIn(testing::all_backends(std::not_fn(&Features::raw))),
                         testing::by_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Format);

}  // namespace
}  // namespace weir
