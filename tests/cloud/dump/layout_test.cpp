#include "apps/cloud/dump/layout.hpp"

#include <gtest/gtest.h>

namespace weir::cloud {
namespace {

TEST(FilesOfADump, HaveTheNamesOfItsStep) {
    std::vector<std::string> names;
    for (auto const& file : files_of_dump(5)) {
        names.push_back(file.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"analysis-000005", "restart", "density-000005", "pressure-000005",
                                               "speed-000005", "potential-000005"}));
    EXPECT_EQ(files_of_dump(1234567).front().name, "analysis-1234567");
}

TEST(FilesOfADump, HaveThePapersSizes) {
    Triple const small{128, 128, 64};
    Triple const large{256, 256, 128};
    auto const files = files_of_dump(20);
    for (std::size_t i = 0; i < files.size(); ++i) {
        EXPECT_EQ(files[i].bytes(small), i < 2 ? 25'165'848 : 1'048'600);
        EXPECT_EQ(files[i].bytes(large), i < 2 ? 201'326'616 : 8'388'632);
    }
    EXPECT_EQ(files[0].purpose, Purpose::analysis);
    EXPECT_EQ(files[1].purpose, Purpose::restart);
    EXPECT_EQ(files[5].purpose, Purpose::visualisation);
    EXPECT_EQ(files[5].picture, Picture::potential);
}

}  // namespace
}  // namespace weir::cloud
