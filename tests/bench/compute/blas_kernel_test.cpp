#include "bench/compute/linear/blas_kernel.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(BlasKernel, IsWarnedOfWhereItIsNarrowerThanTheProcessor) {
    for (auto const* kernel : {"Prescott", "Nehalem", "Haswell", "Zen", "generic"}) {
        auto const found = judge_kernel(kernel, VectorWidth::avx512);
        ASSERT_TRUE(found) << kernel;
        EXPECT_EQ(found->code, "slow-blas-kernel");
        EXPECT_NE(found->problem.find(kernel), std::string::npos);
        EXPECT_NE(found->advice.find("OPENBLAS_CORETYPE=SKYLAKEX"), std::string::npos);
    }
    EXPECT_TRUE(judge_kernel("Nehalem", VectorWidth::avx2));
}

TEST(BlasKernel, IsWarnedOfMoreThreadsThanCpus) {
    EXPECT_FALSE(judge_threads(2, 1, 2));
    EXPECT_FALSE(judge_threads(1, 4, 2)) << "a warning of the launch says so";
    EXPECT_FALSE(judge_threads(7, 1, 0)) << "unknown";
    auto const one = judge_threads(7, 1, 2);
    EXPECT_EQ(one->code, "crowded-threads");
    EXPECT_EQ(one->problem, "7 threads of the BLAS share 2 CPUs");
    EXPECT_EQ(one->advice, "Take --threads 2, or bind the ranks to more CPUs.");
    auto const together = judge_threads(2, 4, 4);
    EXPECT_EQ(together->problem, "8 threads of the BLAS share 4 CPUs");
    EXPECT_EQ(together->advice, "Take --threads 1, or bind the ranks to more CPUs.");
}

TEST(BlasKernel, IsFineWhereItUsesAllOrNothingIsKnown) {
    for (auto const* kernel : {"SkylakeX", "Cooperlake", "SAPPHIRERAPIDS", ""}) {
        EXPECT_FALSE(judge_kernel(kernel, VectorWidth::avx512)) << kernel;
    }
    EXPECT_FALSE(judge_kernel("Haswell", VectorWidth::avx2));
    EXPECT_FALSE(judge_kernel("Zen", VectorWidth::avx2));
    EXPECT_FALSE(judge_kernel("ARMV8", VectorWidth::other));
}

}  // namespace
}  // namespace weir
