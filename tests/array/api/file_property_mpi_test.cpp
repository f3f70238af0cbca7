// Whatever the arrays, their distribution and the options: the file is what one process would write, byte for byte, and
// any other ranks read it in any other distribution.

#include <gtest/gtest.h>

#include "support/arrays/array_fixture.hpp"
#include "support/arrays/random_options.hpp"

namespace weir::testing {
namespace {

class FileProperty : public ArrayFixture {
  protected:
    /// Fewer trials on more ranks, which share this machine's cores.
    [[nodiscard]] int trials(int on_one_rank) const { return std::max(4, on_one_rank / static_cast<int>(comm.size())); }

    /// On all ranks alike: a test that fails on one must end on the others.
    [[nodiscard]] bool same_everywhere(std::string const& problem) const {
        EXPECT_EQ(problem, "");
        return comm.sum(std::uint64_t{problem.empty() ? 0U : 1U}) == 0;
    }

    [[nodiscard]] std::vector<Layout> random_arrays() {
        std::vector<Layout> layouts;
        for (auto n = 1 + random_below(random, 3); n > 0; --n) {
            layouts.push_back(random_layout(random, comm.size()));
        }
        return layouts;
    }

    [[nodiscard]] std::vector<Layout> redistributed(std::vector<Layout> layouts, std::uint64_t ranks) {
        for (auto& layout : layouts) {
            layout = distributed(random, layout, ranks);
        }
        return layouts;
    }

    /// Writes with `plan` over a file that may hold something already, and compares it on rank 0.
    std::string write(weir_plan* plan, Arrays& arrays, std::uint64_t version) {
        std::vector<std::byte> expected;
        on_root([&] {
            for (auto n = before; n > 0; --n) {
                expected.push_back(value_of(version, 99, n, 0));
            }
            make_file(path, expected);
            arrays.put_into(expected, offset, version);
        });
        auto const code = weir_write(plan, path.c_str(), offset, arrays.filled(version), &error);
        if (code != WEIR_OK) {
            return error.message;
        }
        auto const changed = arrays.wrong(version);
        return comm.is_root() && changed.empty() ? difference(bytes_of_file(path), expected) : changed;
    }

    std::string read(weir_plan* plan, Arrays& arrays, std::uint64_t version) {
        auto const code = weir_read(plan, path.c_str(), offset, arrays.cleared(), &error);
        return code == WEIR_OK ? arrays.wrong(version) : error.message;
    }

    /// The same on all ranks; other cases with --gtest_random_seed.
    std::mt19937_64 random{comm.size() + 1000 * static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed))};
    std::uint64_t before = 0;  ///< bytes of the file when it is written
};

TEST_F(FileProperty, IsWhatOneProcessWritesAndOthersRead) {
    for (int trial = 0; trial < trials(240); ++trial) {
        Arrays arrays(random_arrays(), comm.rank());
        auto const options = random_options(random, comm.size());
        SCOPED_TRACE(::testing::Message() << "trial " << trial << ": " << options << ": " << arrays.summary());
        before = random_below(random, 2) * random_below(random, 30000);
        offset = random_below(random, 2) * random_below(random, 1000);
        auto const plan = plan_of(arrays, comm.handle(), options, error);
        ASSERT_TRUE(plan) << error.message;
        for (std::uint64_t const version : {1U, 2U}) {
            ASSERT_TRUE(same_everywhere(write(plan.get(), arrays, version)));
            for (auto reads = random_below(random, 3); reads > 0; --reads) {
                ASSERT_TRUE(same_everywhere(read(plan.get(), arrays, version)));
            }
        }

        // Two communicators at once, each of other ranks, arrays in other distributions and other options.
        auto const middle = random_below(random, comm.size() + 1);
        auto const half = comm.split(comm.rank() < middle ? 0 : 1);
        auto const first = redistributed(arrays.layouts(), std::max<std::uint64_t>(middle, 1));
        auto const second = redistributed(arrays.layouts(), std::max<std::uint64_t>(comm.size() - middle, 1));
        auto const first_options = random_options(random, std::max<std::uint64_t>(middle, 1));
        auto const second_options = random_options(random, half.size());
        bool const in_first = comm.rank() < middle;
        Arrays others(in_first ? first : second, half.rank());
        auto const other_options =
            array::overridden(in_first ? first_options : second_options,
                              options.find("checksum=true") == std::string::npos ? "checksum=false" : "");
        auto const other = plan_of(others, half.handle(), other_options, error);
        SCOPED_TRACE(::testing::Message()
                     << "read by " << half.size() << " ranks: " << other_options << ": " << others.summary());
        ASSERT_TRUE(same_everywhere(other ? "" : error.message));
        ASSERT_TRUE(same_everywhere(read(other.get(), others, 2)));
        ASSERT_TRUE(same_everywhere(read(other.get(), others, 2)));
    }
}

TEST_F(FileProperty, HoldsWhereSomeRanksOfARowHaveNothing) {
    for (auto const& grid : {Indices{1, ranks}, Indices{ranks, 1}, Indices{ranks / 2, 2}, Indices{2, ranks / 2}}) {
        if (Layout::product(grid) != comm.size()) {
            continue;
        }
        for (auto const& shape : {Indices{20, 1}, Indices{1, 20}, Indices{20, ranks - 1}, Indices{ranks - 1, 20}}) {
            if (Layout::product(shape) == 0) {
                continue;
            }
            for (auto const* target : {"target=1B", "target=25B", "target=100B"}) {
                auto arrays = arrays_of(blocks(shape, grid, 24));
                SCOPED_TRACE(arrays.summary() + target);
                auto const plan =
                    planned(arrays, std::string("method=two_phase align=8B window=40B sync=no ") + target);
                ASSERT_TRUE(same_everywhere(write(plan.get(), arrays, 1)));
                ASSERT_TRUE(same_everywhere(read(plan.get(), arrays, 1)));
            }
        }
    }
}

TEST_F(FileProperty, HoldsForGroupsWhosePartsAreOneLongInAnotherOrder) {
    for (auto const& grid : {Indices{ranks, 1, 1}, Indices{1, ranks, 1}, Indices{1, 1, ranks}}) {
        for (auto const& shape : {Indices{ranks, 4, 4}, Indices{4, ranks, 4}, Indices{4, 4, ranks}, Indices{1, 4, 5}}) {
            for (std::uint64_t const element : {1U, 8U}) {
                auto layout = blocks(shape, grid, element);
                layout.memory_order = WEIR_FORTRAN_ORDER;
                auto arrays = arrays_of(layout);
                SCOPED_TRACE(arrays.summary());
                for (auto const* options : {"method=grouped sync=no", "node_size=2 sync=no"}) {
                    auto const plan = planned(arrays, options);
                    ASSERT_TRUE(same_everywhere(write(plan.get(), arrays, 1)));
                    ASSERT_TRUE(same_everywhere(read(plan.get(), arrays, 1)));
                }
            }
        }
    }
}

}  // namespace
}  // namespace weir::testing
