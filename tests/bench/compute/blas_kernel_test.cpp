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
    EXPECT_FALSE(judge_threads(2, 2));
    EXPECT_EQ(judge_threads(3, 2)->code, "crowded-threads");
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
