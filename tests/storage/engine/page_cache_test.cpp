#include "storage/engine/page_cache.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_directory.hpp"

namespace weir {
namespace {

TEST(PageCache, HoldsWhatWasWrittenUntilItIsDropped) {
    testing::TemporaryDirectory const directory;
    if (lives_in_memory(directory.path())) {
        GTEST_SKIP() << "the temporary directory lives in memory: nothing can be dropped";
    }
    auto const path = directory.path() / "file";
    std::ofstream(path) << std::string(1 << 20, 'x');
    EXPECT_EQ(residence(path).bytes, 1U << 20);
    EXPECT_EQ(residence(path).resident_bytes, 1U << 20);
    drop_from_page_cache(path);
    EXPECT_EQ(residence(path).resident_bytes, 0U);
}

TEST(PageCache, DoesNotCountHoles) {
    testing::TemporaryDirectory const directory;
    auto const path = directory.path() / "sparse";
    std::ofstream(path) << std::string(1 << 16, 'x');
    std::filesystem::resize_file(path, 1ULL << 40);
    std::fstream file(path, std::ios::in | std::ios::out);
    file.seekp(1LL << 39);
    file << std::string(1 << 16, 'y');
    file.close();
    auto const there = residence(path);
    if (there.bytes == 1ULL << 40) {
        GTEST_SKIP() << "this file system does not tell its holes";
    }
    EXPECT_EQ(there.bytes, 2U << 16);
    EXPECT_EQ(there.resident_bytes, 2U << 16);
}

TEST(PageCache, OfAFileThatIsNotThereIsEmpty) {
    EXPECT_EQ(residence("/nonexistent").bytes, 0U);
    EXPECT_NO_THROW(drop_from_page_cache("/nonexistent"));
}

}  // namespace
}  // namespace weir
