// Files, arrays and transfers beyond 32 bits: sparse files, and memory that is hardly touched.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <filesystem>

#include "support/arrays/array_fixture.hpp"

namespace weir::testing {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

using Large = ArrayFixture;

/// Every way that data takes into a file.
constexpr std::array methods{"method=independent checksum=yes", "method=gather", "method=grouped group=2",
                             "method=two_phase window=4kB align=1B", "method=two_phase exchange=messages"};

TEST_F(Large, FileHoldsSmallArraysBehind5GiB) {
    auto const layout = blocks({30, 40});
    Arrays arrays({layout, layout}, comm.rank());
    offset = 5 * gib + 3;
    for (auto const* options : methods) {
        SCOPED_TRACE(options);
        auto const plan = planned(arrays, options);
        there_and_back(plan, arrays, 1);
        EXPECT_EQ(std::filesystem::file_size(path), 5 * gib + 3 + 2 * 9600);
        std::vector<std::byte> expected;
        arrays.put_into(expected, 0, 1);
        std::vector<std::byte> is(expected.size());
        std::ifstream file(path, std::ios::binary);
        file.seekg(5 * gib + 3);
        file.read(reinterpret_cast<char*>(is.data()), static_cast<std::streamsize>(is.size()));
        EXPECT_EQ(difference(is, expected), "");
    }
}

TEST_F(Large, ThanTheCachesArraysAreReadPastThem) {
    auto arrays = arrays_of(blocks({1025, 257 * ranks}, {1, ranks}, 32));  // more than 8 MiB a rank
    for (auto const* options : {"method=two_phase sync=no", "method=two_phase exchange=messages sync=no"}) {
        SCOPED_TRACE(options);
        auto const plan = planned(arrays, options);
        there_and_back(plan, arrays, 3);
    }
}

TEST_F(Large, ArrayHoldsASmallOneAsItsPart) {
    auto layout =
        blocks({8, 50});  // rows 100 to 108 of 2^17 x 2^13 x 8 bytes, 8 GiB, and in the midst of its last rows
    layout.larger_shape = {1 << 17, 1 << 13};
    for (std::int64_t const row : {100, (1 << 17) - 8}) {
        layout.larger_start = {row, 77};
        auto arrays = arrays_of(layout);
        for (auto const* options : methods) {
            if (std::string(options).find("checksum") != std::string::npos) {
                continue;
            }
            SCOPED_TRACE(options);
            auto const plan = planned(arrays, options);
            EXPECT_EQ(weir_plan_file_bytes(plan.get()), 8 * gib);
            there_and_back(plan, arrays, 2);
            EXPECT_EQ(std::filesystem::file_size(path), 8 * gib);
        }
    }
}

/// Zeros that take no memory but where something is written.
class Sparse {
  public:
    explicit Sparse(std::size_t bytes)
        : bytes_(bytes),
          start_(::mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        EXPECT_NE(start_, MAP_FAILED);
    }
    ~Sparse() { ::munmap(start_, std::max<std::size_t>(bytes_, 1)); }
    Sparse(Sparse const&) = delete;
    Sparse& operator=(Sparse const&) = delete;

    [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(start_); }

  private:
    std::size_t bytes_;
    void* start_;
};

/// What came to an aggregator: how many bytes, and what was there where marks belong.
struct Arrived {
    std::vector<std::int64_t> marks;
    std::int64_t bytes = 0;
    std::int64_t right = 0;

    static int write(void* context, int, std::int64_t start, std::int64_t bytes, void const* data, char*) {
        auto& arrived = *static_cast<Arrived*>(context);
        arrived.bytes += bytes;
        for (auto const mark : arrived.marks) {
            if (mark >= start && mark < start + bytes) {
                arrived.right += static_cast<char const*>(data)[mark - start] == 'x' ? 1 : 0;
            }
        }
        return 0;
    }
};

TEST_F(Large, RankHoldsMoreThan2GiB) {
    // 2.5 GiB, all of it on the last rank.
    auto const bytes = 5 * gib / 2;
    bool const mine = is_last;
    std::int64_t const start = 0;
    auto const array = array_by(weir_array_boxes, 1, &bytes, mine ? 1 : 0, &start, &bytes, 1, WEIR_C_ORDER);
    Sparse const memory(mine ? static_cast<std::size_t>(bytes) : 0);
    Arrived arrived{{0, gib - 1, 2 * gib - 1, 2 * gib, 2 * gib + 12345, bytes - 1}};
    for (auto const mark : arrived.marks) {
        if (mine) {
            std::memset(memory.data() + mark, 'x', 1);
        }
    }
    for (auto const* options : {"method=independent", "method=gather window=128MiB exchange=messages"}) {
        SCOPED_TRACE(options);
        auto const plan = plan_for({array.get()}, options);
        weir_target const target{&arrived, Arrived::write, nullptr};
        arrived.bytes = arrived.right = 0;
        void* const buffers[] = {mine ? memory.data() : nullptr};
        ASSERT_TRUE(ok(weir_write_target(plan.get(), &target, buffers, &error)));
        EXPECT_EQ(comm.sum(static_cast<std::uint64_t>(arrived.bytes)), static_cast<std::uint64_t>(bytes));
        EXPECT_EQ(comm.sum(static_cast<std::uint64_t>(arrived.right)), arrived.marks.size());
    }
}

}  // namespace
}  // namespace weir::testing
