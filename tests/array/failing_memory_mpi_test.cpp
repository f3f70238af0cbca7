// Memory that runs out on one rank, at any allocation of a collective call: all ranks return the same code and message,
// none waits, and the plan is as good as before. Every allocation is made to fail once, alone and with all after it.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "comm/communicator.hpp"
#include "support/array_case.hpp"
#include "support/temporary_directory.hpp"

namespace {

constexpr std::uint64_t endless = ~std::uint64_t{0};
std::atomic<std::uint64_t> left{endless};
std::atomic<bool> always{false};
std::atomic<bool> failed{false};

bool fails() {
    if (left.load(std::memory_order_relaxed) == endless) {
        return false;
    }
    // A thread may allocate at the same time.
    for (auto n = left.load(); n != endless;) {
        auto const next = n > 0 ? n - 1 : always ? 0 : endless;
        if (left.compare_exchange_weak(n, next)) {
            failed = failed || n == 0;
            return n == 0;
        }
    }
    return false;
}

void* allocated_or_null(std::size_t bytes, std::size_t alignment) noexcept {
    return fails() ? nullptr : std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}

void* allocated(std::size_t bytes, std::size_t alignment) {
    auto* const memory = allocated_or_null(bytes, alignment);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocated(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocated(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
    return allocated_or_null(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes) { return allocated(bytes, alignof(std::max_align_t)); }
void* operator new[](std::size_t bytes, std::nothrow_t const&) noexcept {
    return allocated_or_null(bytes, alignof(std::max_align_t));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace weir::testing {
namespace {

/// Makes memory run out on this rank: from construction on so many allocations succeed, then one fails, or all do.
/// Destruction gives memory back. One at a time.
class FailingMemory {
  public:
    enum class Then { fails_once, fails_always };
    FailingMemory(std::uint64_t successes, Then then) {
        failed = false;
        always = then == Then::fails_always;
        left = successes;
    }
    ~FailingMemory() { left = endless; }
    FailingMemory(FailingMemory const&) = delete;
    FailingMemory& operator=(FailingMemory const&) = delete;

    /// Has any allocation failed?
    [[nodiscard]] static bool has_failed() { return failed; }
};

constexpr std::array ways{
    "method=independent sync=no",
    "method=gather window=2kB align=1B sync=no",
    "method=grouped group=2 window=2kB align=1B sync=no exchange=messages",
    "method=two_phase window=2kB align=1B sync=no",
    "method=two_phase window=2kB align=1B sync=no exchange=messages",
    "method=two_phase window=2kB align=1B sync=no node_size=2 thread=yes",
    "method=two_phase target=1kB align=1B safe=yes checksum=yes",
};

class FailingMemoryOnOneRank : public ::testing::TestWithParam<char const*> {
  protected:
    void SetUp() override {
        if (comm.size() != 2) {
            GTEST_SKIP() << "for 2 ranks: one that fails, and one that must not wait for it";
        }
    }

    /// Blocks, and boxes that only the ranks together know.
    [[nodiscard]] std::vector<Layout> layouts() const {
        Layout rows;
        rows.ranks = comm.size();
        rows.shape = {48, 25};
        rows.grid = {1, static_cast<std::int64_t>(comm.size())};
        rows.element_bytes = 8;
        if (std::string(GetParam()).find("target") != std::string::npos) {
            return {rows};
        }
        std::mt19937_64 random{comm.size()};
        Layout boxes = rows;
        boxes.distribution = Distribution::boxes;
        boxes.grid.clear();
        boxes.starts.resize(comm.size());
        boxes.counts.resize(comm.size());
        deal_boxes(random, boxes, {0, 0}, boxes.shape);
        return {rows, boxes};
    }

    /// Runs a collective call again and again, each time with another allocation of the last rank that fails, until it
    /// makes no more of them. `call` returns its code and fills `error`.
    template <class Call>
    void sweep(Call call) {
        for (auto const then : {FailingMemory::Then::fails_once, FailingMemory::Then::fails_always}) {
            bool some = true;
            for (std::uint64_t n = 0; some; n += 1 + n / 10) {
                SCOPED_TRACE(::testing::Message() << "allocation " << n);
                int code = WEIR_OK;
                if (comm.rank() + 1 == comm.size()) {
                    FailingMemory const memory(n, then);
                    code = call();
                    some = FailingMemory::has_failed();
                } else {
                    code = call();
                }
                auto const told = comm.all_gather(std::to_string(code) + ": " + (code == WEIR_OK ? "" : error.message));
                some = comm.max(std::uint64_t{comm.rank() + 1 == comm.size() && some ? 1U : 0U}) != 0;
                ASSERT_EQ(told[comm.rank()], told[0]);
                ASSERT_TRUE(code == WEIR_OK || (some && code == WEIR_NO_MEMORY)) << code << error.message;
            }
        }
    }

    Communicator const comm = Communicator::duplicate(MPI_COMM_WORLD);
    TemporaryDirectory const directory{comm};
    std::string const path = directory.path() / "file";
    weir_error error{};
};

TEST_P(FailingMemoryOnOneRank, LeavesNoRankWaitingForAPlan) {
    std::vector<ArrayHandle> handles;
    std::vector<weir_array*> arrays;
    for (auto const& layout : layouts()) {
        handles.push_back(made(layout, comm.rank()));
        arrays.push_back(handles.back().get());
    }
    sweep([&] {
        weir_plan* plan = nullptr;
        auto const code =
            weir_plan_make(comm.handle(), static_cast<int>(arrays.size()), arrays.data(), GetParam(), &plan, &error);
        EXPECT_EQ(plan != nullptr, code == WEIR_OK);
        weir_plan_free(plan);
        return code;
    });
}

TEST_P(FailingMemoryOnOneRank, LeavesNoRankWaitingInADump) {
    Arrays arrays(layouts(), comm.rank());
    auto const plan = arrays.plan(comm.handle(), GetParam(), &error);
    ASSERT_TRUE(plan) << error.message;
    auto const* const filled = arrays.filled(1);
    sweep([&] { return weir_write(plan.get(), path.c_str(), 0, filled, &error); });
    sweep([&] {
        weir_request* request = nullptr;
        auto const code = weir_write_start(plan.get(), path.c_str(), 0, filled, &request, &error);
        return code == WEIR_OK ? weir_wait(request, &error) : code;
    });
    ASSERT_EQ(weir_write(plan.get(), path.c_str(), 0, filled, &error), WEIR_OK) << error.message;
    auto const* const cleared = arrays.cleared();
    sweep([&] { return weir_read(plan.get(), path.c_str(), 0, cleared, &error); });
    EXPECT_EQ(arrays.wrong(1), "");
}

TEST_P(FailingMemoryOnOneRank, LeavesNoRankWaitingInARedistribution) {
    Arrays from(layouts(), comm.rank());
    auto turned = layouts();
    std::ranges::reverse(turned.front().grid);
    Arrays to(turned, comm.rank());
    auto const source = from.plan(comm.handle(), GetParam(), &error);
    auto const target = to.plan(comm.handle(), GetParam(), &error);
    ASSERT_TRUE(source && target) << error.message;
    auto const* const filled = from.filled(1);
    auto const* const cleared = to.cleared();
    sweep([&] { return weir_redistribute(source.get(), filled, target.get(), cleared, &error); });
    EXPECT_EQ(to.wrong(1), "");
}

INSTANTIATE_TEST_SUITE_P(AllWays, FailingMemoryOnOneRank, ::testing::ValuesIn(ways));

}  // namespace
}  // namespace weir::testing
