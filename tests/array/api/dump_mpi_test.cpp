// Dumps that replace each other, go on behind the computing, and are verified; and arrays that move in memory alone.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "support/array_fixture.hpp"
#include "support/field.hpp"
#include "support/file_size_limit.hpp"

namespace {

using weir::testing::Field;
using weir::testing::FileSizeLimit;

std::vector<std::int64_t> const shape{37, 64, 129};  // 2.3 MiB: three checksum blocks

class Dump : public weir::testing::ArrayFixture {
  protected:
    int write(Field& field) { return weir_write(field.plan(), path.c_str(), 0, field.buffers(), &error); }
    int read(Field& field) { return weir_read(field.plan(), path.c_str(), 0, field.buffers(), &error); }
};

TEST_F(Dump, ThatIsSafeLeavesNothingBeside) {
    Field field(comm, shape, "safe=true");
    for (std::int64_t const version : {1, 2}) {
        field.fill(version);
        ASSERT_EQ(write(field), WEIR_OK) << error.message;
        EXPECT_EQ(directory.entries(), 1);
        field.clear();
        ASSERT_EQ(read(field), WEIR_OK) << error.message;
        EXPECT_TRUE(field.holds(version));
    }
}

TEST_F(Dump, ThatFailsLeavesTheLastGoodOne) {
    Field field(comm, shape, "safe=true checksum=true writers=64");
    field.fill(1);
    ASSERT_EQ(write(field), WEIR_OK) << error.message;
    field.fill(2);
    {
        FileSizeLimit const full(is_last ? 100'000 : RLIM_INFINITY);
        EXPECT_EQ(write(field), WEIR_IO);
    }
    EXPECT_TRUE(says("cannot be written"));
    comm.barrier();                     // rank 0 clears away what was not finished
    EXPECT_EQ(directory.entries(), 2);  // the dump, and its checksums
    ASSERT_EQ(read(field), WEIR_OK) << error.message;
    EXPECT_TRUE(field.holds(1));
    field.fill(3);
    ASSERT_EQ(write(field), WEIR_OK) << error.message;  // the plan is as good as before
}

TEST_F(Dump, DoesNotGoOnWithWhatAnInterruptedOneHasLeft) {
    on_root([&] { std::ofstream(path + ".weir-part") << std::string(5'000'000, 'x'); });
    Field field(comm, shape, "safe=yes");
    field.fill(1);
    ASSERT_EQ(write(field), WEIR_OK) << error.message;
    EXPECT_EQ(std::filesystem::file_size(path), 37U * 64 * 129 * 8);
}

TEST_F(Dump, OfAReplicatedArrayIsVerifiedThoughAllRanksReadIt) {
    weir_array* array = nullptr;
    weir_plan* plan = nullptr;
    weir_array_replicated(1000, 8, &array, &error);
    ASSERT_EQ(weir_plan_make(comm.handle(), 1, &array, "checksum=yes method=independent", &plan, &error), WEIR_OK);
    std::vector<std::int64_t> values(1000, 7);
    void* const buffers[] = {values.data()};
    ASSERT_EQ(weir_write(plan, path.c_str(), 0, buffers, &error), WEIR_OK) << error.message;
    EXPECT_EQ(weir_read(plan, path.c_str(), 0, buffers, &error), WEIR_OK) << error.message;
    on_root([&] {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(4321);
        file.put('!');
    });
    EXPECT_EQ(weir_read(plan, path.c_str(), 0, buffers, &error), WEIR_CHECKSUM);
    weir_plan_free(plan);
    weir_array_free(array);
}

TEST_F(Dump, IsVerifiedByOtherWindowsThanItWasWrittenIn) {
    Field field(comm, shape, "checksum=true window=300kB align=1B");
    field.fill(5);
    ASSERT_EQ(write(field), WEIR_OK) << error.message;
    for (auto const* options :
         {"checksum=true", "checksum=true method=independent", "checksum=true method=gather window=77kB align=1B",
          "checksum=true method=grouped group=2", "checksum=true exchange=messages readers=1"}) {
        Field other(comm, shape, options);
        ASSERT_EQ(read(other), WEIR_OK) << options << ": " << error.message;
        EXPECT_TRUE(other.holds(5)) << options;
    }
}

TEST_F(Dump, WithAFlippedBitIsFoundOnAllRanks) {
    Field field(comm, shape, "checksum=true");
    field.fill(5);
    ASSERT_EQ(write(field), WEIR_OK) << error.message;
    on_root([&] {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(1'500'000);
        auto const byte = static_cast<char>(file.get() ^ 8);
        file.seekp(1'500'000);
        file.put(byte);
    });
    EXPECT_EQ(read(field), WEIR_CHECKSUM);
    EXPECT_EQ(error.rank, 0);
    EXPECT_TRUE(says("bytes 1048576 to 2097151"));
}

TEST_F(Dump, WithoutChecksumsIsNotVerified) {
    Field field(comm, shape, "");
    field.fill(1);
    ASSERT_EQ(write(field), WEIR_OK) << error.message;
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
            ASSERT_EQ(weir_write_start(field.plan(), path.c_str(), 0, field.buffers(), &request, &error), WEIR_OK)
                << options << ": " << error.message;
            field.clear();                              // the buffers are free
            EXPECT_EQ(read(field), WEIR_BAD_ARGUMENT);  // one dump at a time
            ASSERT_EQ(weir_wait(request, &error), WEIR_OK) << options << ": " << error.message;
            ASSERT_EQ(read(field), WEIR_OK) << options << ": " << error.message;
            EXPECT_TRUE(field.holds(version)) << options;
        }
    }
}

TEST_F(Dump, ThatFailsBehindTheComputingSaysSoWhenItIsWaitedFor) {
    Field field(comm, shape, "async=true method=two_phase");
    field.fill(1);
    weir_request* request = nullptr;
    FileSizeLimit const full(comm.rank() == 0 ? 100'000 : RLIM_INFINITY);
    ASSERT_EQ(weir_write_start(field.plan(), path.c_str(), 0, field.buffers(), &request, &error), WEIR_OK);
    EXPECT_EQ(weir_wait(request, &error), WEIR_IO);
    EXPECT_EQ(error.rank, 0);
}

TEST_F(Dump, OfOneRankAloneFailsOnAllOfThem) {
    Field field(comm, shape, "");
    field.fill(1);
    auto const name = comm.rank() + 1 == comm.size() && comm.size() > 1 ? path + "-other" : path;
    auto const code = weir_write(field.plan(), name.c_str(), 0, field.buffers(), &error);
    EXPECT_EQ(code, comm.size() > 1 ? WEIR_DISAGREE : WEIR_OK);
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
    ASSERT_EQ(weir_write_target(field.plan(), &target, field.buffers(), &error), WEIR_OK) << error.message;
    for (std::size_t i = 0; comm.is_root() && i < kept.values.size(); ++i) {
        ASSERT_EQ(kept.values[i], static_cast<std::int64_t>(i) + 9);
    }
    field.clear();
    ASSERT_EQ(weir_read_target(field.plan(), &target, field.buffers(), &error), WEIR_OK) << error.message;
    EXPECT_TRUE(field.holds(9));
    kept.fail = true;
    EXPECT_EQ(weir_write_target(field.plan(), &target, field.buffers(), &error), WEIR_IO);
    EXPECT_TRUE(says("the cupboard is full"));
}

TEST_F(Dump, MovesInMemoryAlone) {
    Field from(comm, shape, "");
    std::int64_t const block[] = {5, 3, 7};
    std::int64_t const grid[] = {1, static_cast<std::int64_t>(comm.size()), 1};
    weir_array* cyclic = nullptr;
    weir_plan* to = nullptr;
    ASSERT_EQ(weir_array_block_cyclic(3, shape.data(), block, grid, 8, WEIR_C_ORDER, &cyclic, &error), WEIR_OK);
    ASSERT_EQ(weir_plan_make(comm.handle(), 1, &cyclic, "", &to, &error), WEIR_OK) << error.message;
    std::int64_t bytes = 0;
    weir_array_local(cyclic, static_cast<std::int64_t>(comm.rank()), static_cast<std::int64_t>(comm.size()), nullptr,
                     nullptr, nullptr, &bytes, &error);
    std::vector<std::int64_t> dealt(static_cast<std::size_t>(bytes) / 8);
    void* const target[] = {dealt.data()};
    from.fill(3);
    ASSERT_EQ(weir_redistribute(from.plan(), from.buffers(), to, target, &error), WEIR_OK) << error.message;
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
    ASSERT_EQ(weir_redistribute(to, target, from.plan(), from.buffers(), &error), WEIR_OK) << error.message;
    EXPECT_TRUE(from.holds(3));
    weir_plan_free(to);
    weir_array_free(cyclic);
}

TEST_F(Dump, DoesNotMoveBetweenCommunicators) {
    auto const half = comm.split(comm.rank() % 2);
    if (half.size() == comm.size()) {
        GTEST_SKIP() << "one rank is in one communicator only";
    }
    Field all(comm, shape, "");
    Field part(half, shape, "");
    EXPECT_EQ(weir_redistribute(all.plan(), all.buffers(), part.plan(), part.buffers(), &error), WEIR_OTHER_COMM);
    Field other(comm, {37, 64, 128}, "");
    EXPECT_EQ(weir_redistribute(all.plan(), all.buffers(), other.plan(), other.buffers(), &error), WEIR_BAD_ARGUMENT);
}

}  // namespace
