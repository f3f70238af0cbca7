#include "core/topology.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/proc.hpp"

namespace weir {
namespace {

/// Makes hwloc see another machine than this one.
class SyntheticMachine {
  public:
    explicit SyntheticMachine(char const* description) { ::setenv("HWLOC_SYNTHETIC", description, 1); }
    ~SyntheticMachine() { ::unsetenv("HWLOC_SYNTHETIC"); }
    SyntheticMachine(SyntheticMachine const&) = delete;
    SyntheticMachine& operator=(SyntheticMachine const&) = delete;
};

Coverage cover_one(std::string const& cpus) { return cover({cpus}).at(0); }

TEST(Cover, CountsCoresRatherThanHardwareThreads) {
    // As Linux numbers them: the second threads of all cores come after the first ones.
    SyntheticMachine const machine("package:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)");
    EXPECT_EQ(cover_one("0,4"), (Coverage{1, 1})) << "both threads of a core";
    EXPECT_EQ(cover_one("4"), (Coverage{1, 1})) << "one of them";
    EXPECT_EQ(cover_one("0-1"), (Coverage{2, 1}));
    EXPECT_EQ(cover_one("0-1,4-5"), (Coverage{2, 1}));
    EXPECT_EQ(cover_one("1-2"), (Coverage{2, 2}));
    EXPECT_EQ(cover_one("0-7"), (Coverage{4, 2}));
}

TEST(Cover, CountsCpusOfSeveralListsOnce) {
    SyntheticMachine const machine("package:1 core:4 pu:1");
    EXPECT_EQ(cover_one("0-1,1-2,0-1"), (Coverage{3, 1}));
}

TEST(Cover, AnswersEachList) {
    SyntheticMachine const machine("package:1 core:4 pu:2");
    EXPECT_EQ(cover({"0-1", "0-7"}), (std::vector<Coverage>{{1, 1}, {4, 1}}));
    EXPECT_TRUE(cover({}).empty());
}

TEST(Cover, KnowsNothingOfCpusThatTheMachineLacks) {
    SyntheticMachine const machine("package:1 core:2 pu:1");
    EXPECT_EQ(cover_one(""), Coverage());
    EXPECT_EQ(cover_one("64"), Coverage());
    EXPECT_EQ(cover_one("none"), Coverage());
}

TEST(Cover, TakesHardwareThreadsWhereNoCoresAreTold) {
    SyntheticMachine const machine("pu:4");
    EXPECT_EQ(cover_one("0-2"), (Coverage{3, {}}));
}

TEST(CpusIn, CountsTheCpusOfAList) {
    EXPECT_EQ(cpus_in("0-3,8"), 5U);
    EXPECT_EQ(cpus_in("7"), 1U);
    EXPECT_EQ(cpus_in(""), 0U);
    EXPECT_EQ(cpus_in("0,x"), 0U);
    EXPECT_EQ(cpus_in("3-1"), 0U);
    EXPECT_GE(cpus_in(allowed_cpus()), 1U);
}

TEST(CpusOfTwoCores, AreOfTheFirstListAndTheEarliestThatHasAnotherCore) {
    SyntheticMachine const machine("package:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)");
    EXPECT_EQ(cpus_of_two_cores({"2", "3", "0-7"}), (CpuPair{2, 3}));
    EXPECT_EQ(cpus_of_two_cores({"2", "6", "0-7"}), (CpuPair{2, 0})) << "6 is of the same core";
    EXPECT_EQ(cpus_of_two_cores({"4-7"}), (CpuPair{4, 5}));
}

TEST(CpusOfTwoCores, AreNoneWithOneCoreOrUnknownCpus) {
    SyntheticMachine const machine("package:1 core:2 pu:2");
    EXPECT_FALSE(cpus_of_two_cores({"0-1", "1"}));
    EXPECT_FALSE(cpus_of_two_cores({"0-1,64"}));
    EXPECT_FALSE(cpus_of_two_cores({"", "none"}));
    EXPECT_FALSE(cpus_of_two_cores({}));
}

TEST(DescribeTopology, TellsOfTheMachine) {
    SyntheticMachine const machine("package:2 core:2 pu:2");
    auto const json = describe_topology();
    EXPECT_EQ(json["packages"], 2);
    EXPECT_EQ(json["cores"], 4);
    EXPECT_EQ(json["threads"], 8);
}

}  // namespace
}  // namespace weir
