#include "apps/cloud/dump/header.hpp"

#include <gtest/gtest.h>

#include "apps/common/run/pattern_of_dumps.hpp"

namespace weir::cloud {
namespace {

TEST(FilesOfADump, HaveThePapersSizes) {
    for (auto const& [cells, fields, picture] :
         {std::tuple{Triple{128, 128, 64}, 25'165'848U, 1'048'600U}, {{256, 256, 128}, 201'326'616U, 8'388'632U}}) {
        auto const plan = files_of(cells, {1, 1, 1});
        std::vector<std::string> names;
        for (auto const& file : plan.shape.files) {
            names.push_back(file.name);
            auto const& last = file.arrays.back();
            EXPECT_EQ(*last.offset + bytes_of(last), file.arrays.size() > 2 ? fields : picture) << file.name;
        }
        EXPECT_EQ(names, (std::vector<std::string>{"restart", "restart.weir-part", "analysis", "density", "pressure",
                                                   "speed", "potential"}));
        EXPECT_EQ(restart_bytes(cells), fields);
        EXPECT_EQ(bytes_left(plan, {.steps = 20, .every = 5}, true), 5 * fields + 16 * picture);
        EXPECT_EQ(bytes_left(plan, {.steps = 20, .every = 21}, true), fields);
        EXPECT_EQ(bytes_left(plan, {.steps = 20, .every = 0}, false), 0U);
    }
}

}  // namespace
}  // namespace weir::cloud
