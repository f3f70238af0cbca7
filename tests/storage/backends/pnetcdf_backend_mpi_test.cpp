#include <algorithm>
#include <filesystem>

#include "support/mpi/on_root.hpp"
#include "support/patterns/backend_case.hpp"
#include "support/patterns/pattern_engine.hpp"

namespace weir {
namespace {

struct Pnetcdf : testing::BackendCase {
    Pnetcdf() : BackendCase("pnetcdf") {}
};

TEST_F(Pnetcdf, PostedWritesKeepEveryWord) {
    for (auto const posted : {1, 5, 1000}) {
        options.set("nonblocking", posted);
        keeps_every_word("nonblocking " + std::to_string(posted));
    }
}

TEST_F(Pnetcdf, PostedWritesAreDoneBeforeAReadAndAtTheEnd) {
    options.set("nonblocking", 100);
    auto const mine = comm.rank() * (8 << 10);
    std::vector<std::byte> const data(4 << 10, std::byte(1 + comm.rank()));
    auto file = open(OpenMode::create, comm.size() * (8 << 10), comm.size() * (8 << 10));
    std::vector<std::byte> found(8 << 10);
    file->write({mine, 4 << 10, 0}, data);
    EXPECT_EQ(file->read({mine, 4 << 10, 0}, std::span(found).first(4 << 10)), 4U << 10);
    EXPECT_TRUE(std::equal(data.begin(), data.end(), found.begin()));
    file->write({mine + (4 << 10), 4 << 10, 0}, data);
    file->close();
    file = open(OpenMode::read, comm.size() * (8 << 10), comm.size() * (8 << 10));
    EXPECT_EQ(file->read({mine, 8 << 10, 0}, found), 8U << 10);
    EXPECT_EQ(std::count(found.begin(), found.end(), data.front()), 8 << 10);
    file->close();
}

TEST_F(Pnetcdf, PostsRequestsThatAreAllEmpty) {
    options.set("nonblocking", 4);
    auto file = backend->open({directory.path() / "file", OpenMode::create, comm, false, 0, 4096, 4096, {}, false});
    file->write({0, 0, 0}, {});
    file->close();
    EXPECT_TRUE(std::filesystem::exists(directory.path() / "file"));
}

TEST_F(Pnetcdf, RefusesToPostMoreThanTheLibraryTakes) {
    options.set("nonblocking", 65536);
    parameters.block = parameters.transfer = Bytes{32 << 10};
    testing::expect_error(
        ExitCode::usage, "65536 requests of 32768 bytes", [&] { run(); }, &Diagnosis::problem);
}

TEST_F(Pnetcdf, MissesWhatIsBeyondTheEndOfTheFile) {
    auto const pattern = make_pattern(parameters);
    testing::PatternEngine engine(*backend, pattern, EngineSettings{directory.path(), true}, comm, clock);
    engine.measure(pattern.phases.at(0));
    testing::on_root(comm, [&] {
        auto const path = engine.path_of(0, Rank{0});
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 800);
    });
    auto const words = engine.measure(pattern.phases.at(1)).words;
    EXPECT_EQ(words.wrong, 100U);
    EXPECT_EQ(words.missing, 100U);
}

}  // namespace
}  // namespace weir
