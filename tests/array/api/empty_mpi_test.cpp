// Dumps without elements, and of arrays that no rank holds anything of: they are dumps like others.

#include <gtest/gtest.h>

#include <filesystem>

#include "array/api/bad_input.hpp"

namespace weir::testing {
namespace {

class Empty : public BadInput {
  protected:
    /// An array without elements, in each way that one can be described.
    [[nodiscard]] std::vector<Layout> without_elements() const {
        auto const cyclic = [&] {
            auto layout = blocks({7, 0}, {1, ranks}, 4);
            layout.block = {2, 3};
            return layout;
        };
        auto fortran = blocks({5, 0, 2});
        fortran.order = WEIR_FORTRAN_ORDER;
        fortran.before = {1, 1, 0};
        fortran.after = {0, 2, 1};
        auto part = blocks({0, 4});
        part.larger_shape = {0, 9};
        part.larger_start = {0, 2};
        return {blocks({0}),
                blocks({0, 3}, {ranks, 1}),
                cyclic(),
                fortran,
                part,
                listed(Distribution::boxes, {0, 3}),
                listed(Distribution::pieces, {0}),
                listed(Distribution::replicated, {0})};
    }

    /// No rank has a box or a piece of it.
    [[nodiscard]] Layout listed(Distribution distribution, Indices shape) const {
        auto layout = blocks(std::move(shape));
        layout.distribution = distribution;
        layout.starts.resize(layout.ranks);
        layout.counts = layout.starts;
        layout.offsets.resize(layout.ranks);
        layout.lengths = layout.offsets;
        return layout;
    }

    /// As there, but nothing waits for the device.
    template <class Work>
    void each_way(std::vector<Layout> const& layouts, Work work) {
        for (std::string const way : ways) {
            SCOPED_TRACE(way);
            Arrays arrays(layouts, comm.rank());
            work(planned(arrays, way + " sync=no"), arrays);
        }
    }

    void has_bytes(std::uintmax_t bytes) const {
        on_root([&] {
            ASSERT_TRUE(std::filesystem::exists(path));
            EXPECT_EQ(std::filesystem::file_size(path), bytes);
        });
    }

    void without_file() const {
        on_root([&] { std::filesystem::remove(path); });
    }
};

TEST_F(Empty, ArraysMakeAFileWhichIsRead) {
    for (auto const& layout : without_elements()) {
        SCOPED_TRACE(static_cast<int>(layout.distribution));
        each_way({layout}, [&](PlanHandle const& plan, Arrays& arrays) {
            there_and_back(plan, arrays, 1);
            has_bytes(0);
            EXPECT_EQ(weir_plan_file_bytes(plan.get()), 0);
            without_file();
            everywhere(read(plan, arrays), WEIR_IO, "No such file or directory");
        });
    }
}

TEST_F(Empty, ArraysTakeAllOptions) {
    for (auto const* options :
         {"safe=yes checksum=yes", "checksum=yes sync=no", "holes=keep sync=no", "async=yes sync=no",
          "memory=16KiB writers=2 sync=no", "holes=fill method=grouped sync=no"}) {
        SCOPED_TRACE(options);
        for (auto const& layout : without_elements()) {
            Arrays arrays({layout}, comm.rank());
            auto const plan = planned(arrays, options);
            there_and_back(plan, arrays, 1);
            has_bytes(0);
            weir_request* request = nullptr;
            ASSERT_TRUE(ok(weir_write_start(plan.get(), path.c_str(), 5, arrays.filled(2), &request, &error)));
            ASSERT_TRUE(ok(weir_wait(request, &error)));
            has_bytes(0);
            int const number = 2;
            std::int64_t const at = 11;
            ASSERT_TRUE(ok(weir_write_swapped(plan.get(), path.c_str(), &at, &number, arrays.filled(2), &error)));
            ASSERT_TRUE(ok(weir_redistribute(plan.get(), arrays.filled(3), plan.get(), arrays.cleared(), &error)));
            weir_target const target{nullptr, [](auto...) { return 1; }, [](auto...) { return 1; }};
            ASSERT_TRUE(ok(weir_write_target(plan.get(), &target, arrays.filled(2), &error)));
            ASSERT_TRUE(ok(weir_read_target(plan.get(), &target, arrays.cleared(), &error)));
            without_file();
        }
    }
}

TEST_F(Empty, ArraysLieBesideOthers) {
    auto all = without_elements();
    auto const count = all.size();
    for (std::size_t i = 0; i < count; ++i) {
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(2 * i + 1), blocks({static_cast<std::int64_t>(i), 7}));
    }
    each_way(all, [&](PlanHandle const& plan, Arrays& arrays) {
        there_and_back(plan, arrays, 1);
        std::vector<std::byte> should;
        arrays.put_into(should, 0, 1);
        on_root([&] { EXPECT_EQ(difference(bytes_of_file(path), should), ""); });
    });
}

TEST_F(Empty, ArraysHaveNoPlaceInTheFile) {
    // Far behind the others, they make the file no longer, and no list of checksums as long as the way there.
    for (std::string const options : {"", "holes=keep", "checksum=yes", "method=gather safe=yes"}) {
        SCOPED_TRACE(options);
        Arrays arrays({blocks({0}), blocks({6})}, comm.rank());
        auto const plan = planned(arrays, options);
        std::int64_t const at[] = {std::int64_t{1} << 60, 0};
        ASSERT_TRUE(ok(weir_write_at(plan.get(), path.c_str(), at, arrays.filled(1), &error)));
        has_bytes(48);
        ASSERT_TRUE(ok(weir_read_at(plan.get(), path.c_str(), at, arrays.cleared(), &error)));
        EXPECT_EQ(arrays.wrong(1), "");
        without_file();
    }
}

TEST_F(Empty, PartOfALargerArrayMakesRoomForIt) {
    auto part = blocks({0, 4});
    part.larger_shape = {7, 9};
    part.larger_start = {3, 2};
    each_way({part}, [&](PlanHandle const& plan, Arrays& arrays) {
        there_and_back(plan, arrays, 1);
        has_bytes(std::uintmax_t{7} * 9 * 8);
        without_file();
    });
}

TEST_F(Empty, RanksMakeAFileOfHoles) {
    for (auto const& layout : {listed(Distribution::boxes, {6, 5}), listed(Distribution::pieces, {30})}) {
        for (std::string const holes : {" sync=no holes=keep", " sync=no holes=fill"}) {
            for (auto const* way : ways) {
                SCOPED_TRACE(way + holes);
                Arrays arrays({layout}, comm.rank());
                there_and_back(planned(arrays, way + holes), arrays, 1);
                has_bytes(240);
                without_file();
            }
        }
    }
}

TEST_F(Empty, RanksReadAFileThatMustBeThere) {
    for (auto const& layout : {listed(Distribution::boxes, {6, 5}), listed(Distribution::pieces, {30})}) {
        each_way({layout}, [&](PlanHandle const& plan, Arrays& arrays) {
            everywhere(read(plan, arrays), WEIR_IO, "No such file or directory");
            on_root([&] { make_file(path, {}); });
            EXPECT_TRUE(ok(read(plan, arrays))) << "nothing of it is needed";
            without_file();
        });
    }
}

}  // namespace
}  // namespace weir::testing
