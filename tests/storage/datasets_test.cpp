#include "storage/datasets.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

OpenRequest request(std::uint64_t file_bytes, std::uint64_t dataset_bytes) {
    OpenRequest request;
    request.file_bytes = file_bytes;
    request.dataset_bytes = dataset_bytes;
    return request;
}

TEST(Datasets, AreOfOneSizeButForTheLast) {
    Datasets const datasets(request(100, 40));
    ASSERT_EQ(datasets.count(), 3U);
    EXPECT_EQ(datasets.bytes_of(0), 40U);
    EXPECT_EQ(datasets.bytes_of(2), 20U);
    EXPECT_EQ(datasets.holding(79), 1U);
    EXPECT_EQ(datasets.within(79), 39U);
    EXPECT_EQ(datasets.name_of(2), "segment-000002");
    EXPECT_EQ(Datasets(request(100, 100)).name_of(0), "data");
}

TEST(Datasets, AreNoneOfAnEmptyFile) {
    EXPECT_EQ(Datasets(request(0, 0)).count(), 0U);
    EXPECT_EQ(Datasets(request(0, 0)).largest(), 0U);
}

TEST(Datasets, MayBeLargerThanWhatIsInThem) {
    Datasets const datasets(request(10, 40));
    ASSERT_EQ(datasets.count(), 1U);
    EXPECT_EQ(datasets.bytes_of(0), 10U);
}

TEST(Datasets, AreGoneThroughUntilTheTimeIsOver) {
    Datasets const datasets(request(1000, 1));
    std::uint64_t visited = 0;
    auto const visit = [&](std::uint64_t dataset) { return dataset == visited++; };
    EXPECT_EQ(datasets.go_through(Communicator(), {}, visit), 1000U);
    EXPECT_EQ(visited, 1000U);
    EXPECT_NO_THROW(datasets.refuse_late(1000));

    visited = 0;
    auto const reached = datasets.go_through(
        Communicator(), [&] { return visited >= 300; }, visit);
    EXPECT_EQ(reached, visited);
    EXPECT_LT(reached, 400U);
    auto const error = testing::error_of([&] { datasets.refuse_late(reached); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_NE(error.diagnosis().reason.find("of the file's 1000 datasets"), std::string::npos) << error.what();
}

TEST(Datasets, AreGoneThroughNoFurtherWhereOneFails) {
    Datasets const datasets(request(1000, 1));
    EXPECT_LT(datasets.go_through(Communicator(), {}, [](std::uint64_t dataset) { return dataset != 5; }), 100U);
}

TEST(Datasets, RefuseARequestThatLiesInTwo) {
    Datasets const datasets(request(120, 40));
    Access access;
    access.extent = {0, {{4, 24}}, 8};  // at 0, 24, 48 and 72
    EXPECT_NO_THROW(datasets.refuse_crossing(access, Rank{0}));
    access.extent.length = 24;
    auto const error = testing::error_of([&] { datasets.refuse_crossing(access, Rank{0}); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage);
    EXPECT_NE(error.diagnosis().problem.find("offset 24"), std::string::npos) << error.what();
    EXPECT_NO_THROW(datasets.refuse_crossing(access, Rank{1})) << "which takes no part";
}

}  // namespace
}  // namespace weir
