#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "support/arrays/array_fixture.hpp"

namespace weir::testing {

/// Every way that data takes into a file; small windows, so that the failure comes in the midst of a dump.
inline constexpr std::array ways{
    "method=independent",
    "method=gather window=2kB align=1B",
    "method=grouped group=2 window=2kB align=1B",
    "method=two_phase window=2kB align=1B",
    "method=two_phase window=2kB align=1B exchange=messages",
    "method=two_phase window=2kB align=1B node_size=2",
    "method=two_phase window=2kB align=1B thread=yes",
    "method=two_phase target=1kB align=1B",
};

/// What goes wrong on one rank alone is an error on all of them.
class BadInput : public ArrayFixture {
  protected:
    /// All ranks have this code and the same message, which holds these words.
    void everywhere(int code, weir_code expected, std::string const& words) const {
        EXPECT_EQ(code, expected) << error.message;
        EXPECT_EQ(error.code, code);
        auto const all =
            comm.all_gather(std::to_string(code) + " of rank " + std::to_string(error.rank) + ": " + error.message);
        EXPECT_EQ(all[comm.rank()], all[0]);
        EXPECT_TRUE(says(words));
    }

    int make(Layout const& layout, char const* options = "") {
        return made_of({testing::made(layout, comm.rank()).release()}, options);
    }

    /// Takes the arrays, which may be null, and frees them.
    int made_of(std::vector<weir_array*> const& arrays, char const* options = "") {
        weir_plan* plan = nullptr;
        auto const code =
            weir_plan_make(comm.handle(), static_cast<int>(arrays.size()), arrays.data(), options, &plan, &error);
        EXPECT_EQ(plan != nullptr, code == WEIR_OK);
        for (auto* array : arrays) {
            weir_array_free(array);
        }
        weir_plan_free(plan);
        return code;
    }

    /// 96 x 25 elements of 8 bytes in blocks of rows: what each rank holds follows what the one before holds.
    [[nodiscard]] Layout rows() const { return blocks({96, 25}, {ranks, 1}); }

    void write_version_3(Layout const& layout) {
        Arrays whole({layout}, comm.rank());
        ASSERT_TRUE(ok(write(planned(whole, ""), whole, 3)));
    }

    /// Where ranks describe too little, if there is one alone, or elements that others describe too: what version 3 has
    /// left in the file is read, and nothing is written.
    void is_read_and_not_written(Layout const& layout, std::string const& hole, std::string const& overlap) {
        each_way({layout}, [&](PlanHandle const& plan, Arrays& part) {
            everywhere(write(plan, part), alone ? WEIR_HOLES : WEIR_OVERLAP, alone ? hole : overlap);
            ASSERT_TRUE(ok(read(plan, part)));
            EXPECT_EQ(part.wrong(3), "");
        });
    }

    /// Does this for every way: work(its plan, the arrays).
    template <class Work>
    void each_way(std::vector<Layout> const& layouts, Work work) {
        for (auto const* options : ways) {
            SCOPED_TRACE(options);
            Arrays arrays(layouts, comm.rank());
            work(planned(arrays, options), arrays);
        }
    }

    /// The plan still writes and reads.
    void still_good(PlanHandle const& plan, Arrays& arrays) { there_and_back(plan, arrays, 7); }
};

}  // namespace weir::testing
