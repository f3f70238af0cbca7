#include "bench/metric.hpp"
#include "core/json.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

struct MetricOfAllRanks : ::testing::Test {
    [[nodiscard]] std::optional<double> of_ranks(Better better, OverRanks over_ranks) const {
        auto const mine = static_cast<double>(comm.rank() + 1);
        return over_all_ranks({"x", mine, "1", "x", better, over_ranks}, comm).value;
    }

    Communicator const comm = Communicator::world();
    double const size = static_cast<double>(comm.size());
};

TEST_F(MetricOfAllRanks, IsTheirSumOrMean) {
    EXPECT_DOUBLE_EQ(of_ranks(Better::higher, OverRanks::sum).value(), size * (size + 1) / 2);
    EXPECT_DOUBLE_EQ(of_ranks(Better::lower, OverRanks::mean).value(), (size + 1) / 2);
}

TEST_F(MetricOfAllRanks, IsThatOfTheSlowestWhicheverWayIsBetter) {
    EXPECT_DOUBLE_EQ(of_ranks(Better::higher, OverRanks::slowest).value(), 1);
    EXPECT_DOUBLE_EQ(of_ranks(Better::lower, OverRanks::slowest).value(), size);
}

TEST_F(MetricOfAllRanks, IsUnknownWhereOneRankKnowsNothing) {
    Metric mine{"x", 1.0, "1", "x", Better::higher, OverRanks::sum};
    if (comm.rank() + 1 == comm.size()) {
        mine.value.reset();
    }
    EXPECT_FALSE(over_all_ranks(mine, comm).value);
}

TEST(Metric, HasNoRateWhereNoTimePassed) {
    EXPECT_DOUBLE_EQ(bandwidth(400, 4).value.value(), 100);
    EXPECT_DOUBLE_EQ(operation_rate(4, 0.5).value.value(), 8);
    EXPECT_FALSE(bandwidth(400, 0).value);
}

TEST(Metric, SaysInJsonAllThatItTakesToShowIt) {
    auto const json = to_json({elapsed_time(2), operation_rate(1, 0)});
    EXPECT_EQ(json[0], Json::parse(R"({"key": "elapsed_s", "value": 2.0, "unit": "s", "noun": "time",
                                       "better": "lower", "over_ranks": "slowest", "decimal": false})"));
    EXPECT_TRUE(json[1]["value"].is_null());
}

TEST(Metric, SaysItsUnitForPeopleAndItsPlace) {
    auto metric = in_gbytes(bandwidth(4, 2));
    metric.first_screen = ScreenPlace{3, "Memory"};
    auto const json = to_json({metric}).at(0);
    EXPECT_EQ(json.at("decimal"), true);
    EXPECT_EQ(json.at("first_screen"), (Json{{"place", 3}, {"label", "Memory"}}));
}

}  // namespace
}  // namespace weir
