// Elements that no rank writes: they stay what they were in the file, or get a fill value.

#include <gtest/gtest.h>

#include "support/arrays/array_fixture.hpp"

namespace weir::testing {
namespace {

constexpr std::array<std::string_view, 9> ways{
    "method=two_phase align=1B window=77B",
    "method=two_phase align=1B window=1001B writers=3 exchange=messages",
    "method=two_phase node_size=2 align=1B window=500B",
    "method=gather align=1B window=333B",
    "method=grouped group=2 align=1B window=333B",
    "method=independent",
    "thread=yes align=1B window=200B",
    "safe=yes writers=2",
    "",
};

/// An ocean: points at sea belong to ranks in short runs, those on land to none.
class Holes : public ArrayFixture {
  protected:
    /// 1 of `one_in` runs is land.
    [[nodiscard]] Layout ocean(std::int64_t points, std::uint64_t element_bytes, std::uint64_t one_in,
                               std::uint64_t seed) const {
        Layout layout;
        layout.ranks = comm.size();
        layout.distribution = Distribution::pieces;
        layout.element_bytes = element_bytes;
        layout.shape = {points};
        layout.offsets.resize(comm.size());
        layout.lengths.resize(comm.size());
        std::mt19937_64 random(seed);
        for (std::int64_t at = 0; at < points;) {
            auto const length = std::min(points - at, static_cast<std::int64_t>(1 + random_below(random, 5)));
            if (random_below(random, one_in) != 0) {
                auto const rank = random_below(random, comm.size());
                layout.offsets[rank].push_back(at);
                layout.lengths[rank].push_back(length);
            }
            at += length;
        }
        return layout;
    }

    /// Boxes of a plane, which leave a frame and a cross, as part of a larger plane.
    [[nodiscard]] Layout boxes() const {
        Layout layout;
        layout.ranks = comm.size();
        layout.distribution = Distribution::boxes;
        layout.element_bytes = 4;
        layout.shape = {2 * ranks + 3, 11};
        layout.larger_shape = {2 * ranks + 5, 13};
        layout.larger_start = {1, 1};
        layout.starts.resize(comm.size());
        layout.counts.resize(comm.size());
        for (std::size_t rank = 0; rank < comm.size(); ++rank) {
            auto const row = static_cast<std::int64_t>(2 * rank + 1);
            layout.starts[rank] = {{row, 1}, {row, 6}};
            layout.counts[rank] = {{2, 4}, {2, 4}};
        }
        return layout;
    }

    static constexpr auto fill_bytes = std::array{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                                  std::byte{5}, std::byte{6}, std::byte{7}, std::byte{8}};

    /// Writes the arrays onto a file that holds something else, and compares all of it.
    void write_onto(std::vector<Layout> const& layouts, std::string const& options, std::size_t old_bytes,
                    bool filled) {
        SCOPED_TRACE(options + " onto " + std::to_string(old_bytes) + " bytes");
        std::vector<std::byte> before(old_bytes);
        for (std::size_t i = 0; i < old_bytes; ++i) {
            before[i] = static_cast<std::byte>(mix(i));
        }
        on_root([&] { make_file(path, before); });
        Arrays arrays(layouts, comm.rank());
        std::vector<ArrayHandle> handles;
        std::vector<weir_array*> pointers;
        for (auto const& layout : layouts) {
            handles.push_back(made(layout, comm.rank()));
            if (filled) {
                weir_array_fill_value(handles.back().get(), fill_bytes.data(), nullptr);
            }
            pointers.push_back(handles.back().get());
        }
        auto const plan = plan_for(pointers, options);
        for (std::uint64_t const version : {1, 2}) {
            ASSERT_TRUE(ok(write(plan, arrays, version)));
            on_root([&] {
                EXPECT_EQ(difference(bytes_of_file(path), expected(layouts, before, version, options, filled)), "");
            });
            ASSERT_TRUE(ok(read(plan, arrays)));
            EXPECT_EQ(arrays.wrong(version), "");
        }
    }

    /// Byte by byte.
    [[nodiscard]] std::vector<std::byte> expected(std::vector<Layout> const& layouts, std::vector<std::byte> bytes,
                                                  std::uint64_t version, std::string const& options,
                                                  bool filled) const {
        std::uint64_t at = static_cast<std::uint64_t>(offset);
        for (std::size_t a = 0; a < layouts.size(); ++a) {
            auto const& layout = layouts[a];
            bytes.resize(std::max<std::size_t>(bytes.size(), at + layout.file_bytes()), std::byte{0});
            std::vector<bool> held(layout.elements(), false);
            for (std::uint64_t rank = 0; rank < layout.ranks; ++rank) {
                for (auto const& element : held_by(layout, rank)) {
                    held[element.number] = true;
                }
            }
            for (std::uint64_t number = 0; number < layout.elements(); ++number) {
                auto const place = at + place_in_file(layout, number);
                for (std::uint64_t b = 0; b < layout.element_bytes; ++b) {
                    if (held[number]) {
                        bytes[place + b] = value_of(version, a, number, b);
                    } else if (options.find("holes=fill") != std::string::npos) {
                        bytes[place + b] = filled ? fill_bytes.at(b) : std::byte{0};
                    }
                }
            }
            at += layout.file_bytes();
        }
        return bytes;
    }
};

TEST_F(Holes, StayWhatTheyWere) {
    std::vector<Layout> const layouts{ocean(700, 8, 3, 1), boxes(), ocean(700, 4, 3, 1), ocean(300, 3, 2, 2)};
    offset = 5;
    for (auto const way : ways) {
        for (std::size_t const old_bytes : {0, 3000, 20'000}) {
            write_onto(layouts, std::string(way) + " holes=keep sync=no", old_bytes, false);
        }
    }
}

TEST_F(Holes, AreFilled) {
    std::vector<Layout> const layouts{ocean(700, 8, 3, 1), boxes(), ocean(700, 4, 3, 1), ocean(300, 3, 2, 2)};
    offset = 5;
    for (auto const way : ways) {
        for (bool const filled : {false, true}) {
            write_onto(layouts, std::string(way) + " holes=fill sync=no", 3000, filled);
        }
    }
    write_onto(layouts, "holes=fill checksum=yes safe=yes", 20'000, true);
}

TEST_F(Holes, MayBeAllThatThereIs) {
    auto land = ocean(1000, 8, 1, 3);
    for (auto const* options :
         {"holes=keep", "holes=fill", "holes=keep method=independent", "holes=fill window=77B align=1B"}) {
        write_onto({land}, options, 100, true);
        write_onto({land}, options, 9000, true);
    }
}

TEST_F(Holes, AreLongAndShort) {
    // Gaps that are longer than those that are bridged, at all distances from the borders of windows.
    Layout layout;
    layout.ranks = comm.size();
    layout.distribution = Distribution::pieces;
    layout.element_bytes = 1;
    layout.offsets.resize(comm.size());
    layout.lengths.resize(comm.size());
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < 40; ++i) {
        auto const rank = static_cast<std::size_t>(i % ranks);
        layout.offsets[rank].push_back(at);
        layout.lengths[rank].push_back(1 + i * 37);
        at += 1 + i * 37 + (i % 5 == 0 ? 70'000 : i);
    }
    layout.shape = {at + 3};
    for (auto const* options :
         {"holes=keep window=100KiB align=1B sync=no", "holes=keep window=64KiB sync=no writers=3",
          "holes=keep method=gather window=1MiB memory=4MiB sync=no", "holes=fill sync=no"}) {
        write_onto({layout}, options, 500'000, false);
    }
}

TEST_F(Holes, AreReversedWithTheNumbersBesideThem) {
    auto const layout = ocean(500, 8, 3, 4);
    Arrays arrays({layout}, comm.rank());
    std::int64_t const at = 3;
    for (std::string const options :
         {"holes=keep align=1B window=77B sync=no", "holes=fill align=1B window=77B sync=no"}) {
        SCOPED_TRACE(options);
        bool const fills = options.starts_with("holes=fill");
        auto const handle = made(layout, comm.rank());
        weir_array_fill_value(handle.get(), fill_bytes.data(), nullptr);
        auto const plan = plan_for({handle.get()}, options);
        std::vector<std::byte> before(5000);
        for (std::size_t i = 0; i < before.size(); ++i) {
            before[i] = static_cast<std::byte>(mix(i));
        }
        on_root([&] { make_file(path, before); });
        ASSERT_TRUE(ok(weir_write_swapped(plan.get(), path.c_str(), &at, nullptr, arrays.filled(1), &error)));
        on_root([&] {
            offset = at;
            auto should = expected({layout}, before, 1, options, true);
            auto const native = should;
            for (std::uint64_t n = 0; n < layout.elements(); ++n) {
                auto const first = static_cast<std::ptrdiff_t>(at + static_cast<std::int64_t>(8 * n));
                bool const kept =
                    std::equal(native.begin() + first, native.begin() + first + 8, before.begin() + first);
                if (!kept || fills) {
                    std::reverse(should.begin() + first, should.begin() + first + 8);
                }
            }
            EXPECT_EQ(difference(bytes_of_file(path), should), "");
        });
        offset = 0;
    }
}

TEST_F(Holes, AreRefusedUnlessTheyAreAllowed) {
    auto layout = ocean(700, 8, 3, 1);
    Arrays arrays({layout}, comm.rank());
    EXPECT_EQ(write(planned(arrays, ""), arrays), WEIR_HOLES);
    EXPECT_EQ(write(planned(arrays, "holes=refuse"), arrays), WEIR_HOLES);
    EXPECT_FALSE(arrays.plan(comm.handle(), "holes=keep checksum=yes", &error));
    EXPECT_EQ(error.code, WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("no checksum"));
    if (!alone) {  // what overlaps is no hole
        layout.offsets[0].push_back(layout.offsets[1].back());
        layout.lengths[0].push_back(1);
        Arrays twice({layout}, comm.rank());
        EXPECT_EQ(write(planned(twice, "holes=fill"), twice), WEIR_OVERLAP);
        auto const mine = made(ocean(10, 8, 3, 1), comm.rank());
        if (comm.is_root()) {
            weir_array_fill_value(mine.get(), fill_bytes.data(), nullptr);
        }
        weir_plan* plan = nullptr;
        weir_array* const one[] = {mine.get()};
        EXPECT_EQ(weir_plan_make(comm.handle(), 1, one, "holes=fill", &plan, &error), WEIR_DISAGREE);
    }
}

TEST_F(Holes, KeepAPlanWithinItsBound) {
    Arrays arrays({ocean(100'000, 8, 3, 1)}, comm.rank());
    for (auto const* options : {"holes=keep memory=200KiB sync=no", "holes=fill memory=200KiB sync=no",
                                "holes=keep memory=200KiB sync=no exchange=messages method=gather"}) {
        auto const plan = planned(arrays, options);
        auto const lists = 40 * 100'000;
        EXPECT_LE(weir_plan_memory(plan.get()), 200 * 1024 * 105 / 100 + lists);
        there_and_back(plan, arrays, 1);
    }
}

}  // namespace
}  // namespace weir::testing
