// Dumps that replace each other, go on behind the computing, and are verified; and arrays that move in memory alone.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "support/arrays/array_fixture.hpp"
#include "support/arrays/field.hpp"
#include "support/failures/file_size_limit.hpp"
#include "support/skip.hpp"

namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using weir::testing::Field;
using weir::testing::FileSizeLimit;

std::vector<std::int64_t> const shape{37, 64, 129};  // 2.3 MiB: three checksum blocks

class Dump : public weir::testing::ArrayFixture {
  protected:
    int write(Field& field) { return weir_write(field.plan(), path.c_str(), 0, field.buffers(), &error); }
    int read(Field& field) { return weir_read(field.plan(), path.c_str(), 0, field.buffers(), &error); }
    /// A new version is written.
    AssertionResult writes(Field& field, std::int64_t version) {
        field.fill(version);
        return ok(write(field));
    }
    /// This version is what is read.
    AssertionResult reads(Field& field, std::int64_t version) {
        field.clear();
        auto const result = ok(read(field));
        return result && !field.holds(version) ? AssertionFailure() << "it is another version" : result;
    }
};

TEST_F(Dump, ThatIsSafeLeavesNothingBeside) {
    Field field(comm, shape, "safe=true");
    for (std::int64_t const version : {1, 2}) {
        ASSERT_TRUE(writes(field, version));
        EXPECT_EQ(directory.entries(), 1);
        EXPECT_TRUE(reads(field, version));
    }
}

TEST_F(Dump, ThatFailsLeavesTheLastGoodOne) {
    Field field(comm, shape, "safe=true checksum=true writers=64");
    ASSERT_TRUE(writes(field, 1));
    field.fill(2);
    {
        FileSizeLimit const full(is_last ? 100'000 : RLIM_INFINITY);
        EXPECT_EQ(write(field), WEIR_IO);
    }
    EXPECT_TRUE(says("cannot be written"));
    comm.barrier();                     // rank 0 clears away what was not finished
    EXPECT_EQ(directory.entries(), 2);  // the dump, and its checksums
    EXPECT_TRUE(reads(field, 1));
    ASSERT_TRUE(writes(field, 3));  // the plan is as good as before
}

TEST_F(Dump, OfAReplicatedArrayIsVerifiedThoughAllRanksReadIt) {
    auto const array = weir::testing::array_by(weir_array_replicated, 1000, 8);
    auto const handle = plan_for({array.get()}, "checksum=yes method=independent");
    auto* const plan = handle.get();
    std::vector<std::int64_t> values(1000, 7);
    void* const buffers[] = {values.data()};
    ASSERT_TRUE(ok(weir_write(plan, path.c_str(), 0, buffers, &error)));
    EXPECT_TRUE(ok(weir_read(plan, path.c_str(), 0, buffers, &error)));
    on_root([&] { weir::testing::flip_bits(path, 4321, 1); });
    EXPECT_EQ(weir_read(plan, path.c_str(), 0, buffers, &error), WEIR_CHECKSUM);
}

TEST_F(Dump, IsVerifiedByOtherWindowsThanItWasWrittenIn) {
    Field field(comm, shape, "checksum=true window=300kB align=1B");
    ASSERT_TRUE(writes(field, 5));
    for (auto const* options :
         {"checksum=true", "checksum=true method=independent", "checksum=true method=gather window=77kB align=1B",
          "checksum=true method=grouped group=2", "checksum=true exchange=messages readers=1"}) {
        Field other(comm, shape, options);
        EXPECT_TRUE(reads(other, 5)) << options;
    }
}

TEST_F(Dump, WithAFlippedBitIsFoundOnAllRanks) {
    Field field(comm, shape, "checksum=true");
    ASSERT_TRUE(writes(field, 5));
    on_root([&] { weir::testing::flip_bits(path, 1'500'000, 8); });
    EXPECT_EQ(read(field), WEIR_CHECKSUM);
    EXPECT_EQ(error.rank, 0);
    EXPECT_TRUE(says("bytes 1048576 to 2097151"));
}

TEST_F(Dump, WithoutChecksumsIsNotVerified) {
    Field field(comm, shape, "");
    ASSERT_TRUE(writes(field, 1));
    Field careful(comm, shape, "checksum=true");
    EXPECT_EQ(read(careful), WEIR_CHECKSUM);
}

TEST_F(Dump, GoesOnBehindTheComputing) {
    for (auto const* options :
         {"async=true", "async=true safe=true checksum=true", "method=independent", "window=64KiB"}) {
        Field field(comm, shape, options);
        for (std::int64_t const version : {1, 2}) {
            field.fill(version);
            weir_request* request = nullptr;
            ASSERT_TRUE(ok(weir_write_start(field.plan(), path.c_str(), 0, field.buffers(), &request, &error)))
                << options;
            field.clear();                              // the buffers are free
            EXPECT_EQ(read(field), WEIR_BAD_ARGUMENT);  // one dump at a time
            ASSERT_TRUE(ok(weir_wait(request, &error))) << options;
            EXPECT_TRUE(reads(field, version)) << options;
        }
    }
}

TEST_F(Dump, ThatFailsBehindTheComputingSaysSoWhenItIsWaitedFor) {
    Field field(comm, shape, "async=true method=two_phase");
    field.fill(1);
    weir_request* request = nullptr;
    FileSizeLimit const full(comm.rank() == 0 ? 100'000 : RLIM_INFINITY);
    ASSERT_TRUE(ok(weir_write_start(field.plan(), path.c_str(), 0, field.buffers(), &request, &error)));
    EXPECT_EQ(weir_wait(request, &error), WEIR_IO);
    EXPECT_EQ(error.rank, 0);
}

/// A target in memory: what is written is kept by each rank, and put together at the end.
struct Kept {
    std::vector<std::int64_t> values;
    bool fail = false;
};

int keep(void* context, int, std::int64_t start, std::int64_t bytes, void const* data,
         char message[WEIR_MESSAGE_SIZE]) {
    auto& kept = *static_cast<Kept*>(context);
    if (kept.fail) {
        std::snprintf(message, WEIR_MESSAGE_SIZE, "the cupboard is full");
        return 1;
    }
    std::memcpy(reinterpret_cast<char*>(kept.values.data()) + start, data, static_cast<std::size_t>(bytes));
    return 0;
}

int give(void* context, int, std::int64_t start, std::int64_t bytes, void* data, char*) {
    auto& kept = *static_cast<Kept*>(context);
    std::memcpy(data, reinterpret_cast<char const*>(kept.values.data()) + start, static_cast<std::size_t>(bytes));
    return 0;
}

TEST_F(Dump, GoesToATargetOfTheApplication) {
    Field field(comm, shape, "method=gather window=100kB align=1B");
    Kept kept{std::vector<std::int64_t>(37 * 64 * 129)};
    weir_target const target{&kept, keep, give};
    field.fill(9);
    ASSERT_TRUE(ok(weir_write_target(field.plan(), &target, field.buffers(), &error)));
    for (std::size_t i = 0; comm.is_root() && i < kept.values.size(); ++i) {
        ASSERT_EQ(kept.values[i], static_cast<std::int64_t>(i) + 9);
    }
    field.clear();
    ASSERT_TRUE(ok(weir_read_target(field.plan(), &target, field.buffers(), &error)));
    EXPECT_TRUE(field.holds(9));
    kept.fail = true;
    EXPECT_EQ(weir_write_target(field.plan(), &target, field.buffers(), &error), WEIR_IO);
    EXPECT_TRUE(says("the cupboard is full"));
}

TEST_F(Dump, MovesInMemoryAlone) {
    Field from(comm, shape, "");
    std::int64_t const block[] = {5, 3, 7};
    std::int64_t const grid[] = {1, ranks, 1};
    auto const cyclic = weir::testing::array_by(weir_array_block_cyclic, 3, shape.data(), block, grid, 8, WEIR_C_ORDER);
    auto const to_plan = plan_for({cyclic.get()});
    auto* const to = to_plan.get();
    std::int64_t bytes = 0;
    weir_array_local(cyclic.get(), static_cast<std::int64_t>(comm.rank()), ranks, nullptr, nullptr, nullptr, &bytes,
                     &error);
    std::vector<std::int64_t> dealt(static_cast<std::size_t>(bytes) / 8);
    void* const target[] = {dealt.data()};
    from.fill(3);
    ASSERT_TRUE(ok(weir_redistribute(from.plan(), from.buffers(), to, target, &error)));
    std::size_t n = 0;
    for (std::int64_t i = 0; i < 37; ++i) {
        for (std::int64_t j = 0; j < 64; ++j) {
            auto const owner = static_cast<std::uint64_t>(j / 3) % comm.size();
            for (std::int64_t k = 0; owner == comm.rank() && k < 129; ++k) {
                ASSERT_EQ(dealt[n++], (i * 64 + j) * 129 + k + 3);
            }
        }
    }
    EXPECT_EQ(n, dealt.size());
    from.clear();
    ASSERT_TRUE(ok(weir_redistribute(to, target, from.plan(), from.buffers(), &error)));
    EXPECT_TRUE(from.holds(3));
}

}  // namespace
