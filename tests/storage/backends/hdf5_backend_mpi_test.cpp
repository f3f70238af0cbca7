#include "core/json.hpp"
#include "support/patterns/backend_case.hpp"

namespace weir {
namespace {

struct Hdf5 : testing::BackendCase {
    Hdf5() : BackendCase("hdf5") {}
};

TEST_F(Hdf5, EveryLayoutKeepsEveryWord) {
    using Setting = std::pair<std::string, Json>;
    for (auto const& [option, value] : {Setting{"chunk", 8192}, Setting{"chunk", 5000}, Setting{"alignment", 65536},
                                        Setting{"metadata_block", 4096}, Setting{"collective_metadata", true}}) {
        options.set(option, value);
        keeps_every_word(option);
    }
}

TEST_F(Hdf5, RefusesAChunkThatIsLargerThanADataset) {
    options.set("chunk", 1 << 20);
    testing::expect_error(
        ExitCode::usage, "chunks of 1048576 bytes", [&] { run(); }, &Diagnosis::problem);
}

TEST_F(Hdf5, HoldsAlsoTheDatasetsThatNobodyWroteTo) {
    open(OpenMode::create, 300, 100)->close();
    std::vector<std::byte> data(10);
    auto const file = open(OpenMode::read, 300, 100);
    EXPECT_EQ(file->read({250, 10, 0}, data), 10U);
}

TEST_F(Hdf5, RefusesToReadADatasetThatIsSmallerThanTheCase) {
    open(OpenMode::create, 100, 100)->close();
    auto const failure = failure_of([&] { open(OpenMode::read, 200, 200); });
    EXPECT_EQ(failure.exit_code, ExitCode::cannot_run);
    EXPECT_EQ(failure.problem, "the dataset 'data' has 100 of 200 bytes");
}

}  // namespace
}  // namespace weir
