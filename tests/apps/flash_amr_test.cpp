// FLASH's version-9 files: their lists, arrays and plans.

#include "apps/flash/amr/amr_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "apps/flash/amr/outline.hpp"

namespace weir::flash {
namespace {

Tree small_tree() {
    Tree const root({1, 1, 1}, {});
    auto const once = root.adapted(std::vector(1, Mark::refine), 3);
    std::vector<Mark> marks(once.size(), Mark::keep);
    marks.back() = Mark::refine;
    return once.adapted(marks, 3);
}

TEST(FlashLists, ReadWhatTheyWrite) {
    auto lists = empty_scalars();
    value_of(lists.integers, "nstep") = 17;
    value_of(lists.reals, "time") = 0.25;
    lists.logicals[1].value = 1;
    lists.strings[0].value = "cartesian";
    auto found = empty_scalars();
    found.strings[0].value.clear();
    for (auto const& array : arrays_of(lists, "scalars")) {
        std::vector<std::byte> bytes(bytes_of(array));
        fill(lists, array, bytes);
        take(found, array, bytes);
    }
    EXPECT_EQ(value_of(found.integers, "nstep"), 17);
    EXPECT_EQ(value_of(found.integers, "nxb"), 0);
    EXPECT_EQ(value_of(found.reals, "time"), 0.25);
    EXPECT_EQ(found.logicals[1].value, 1);
    EXPECT_EQ(found.strings[0].value, "cartesian") << "without the blanks behind it";
}

TEST(FlashLists, PassOverNamesThatTheyDoNotHave) {
    Lists const other{{{"unknown", 1}, {"nstep", 5}}, {}, {}, {}};
    auto const array = arrays_of(other, "scalars").front();
    std::vector<std::byte> bytes(bytes_of(array));
    fill(other, array, bytes);
    auto found = empty_scalars();
    take(found, array, bytes);
    EXPECT_EQ(value_of(found.integers, "nstep"), 5);
}

/// 392 bytes of tree a block, as in FLASH's checkpoints.
TEST(FlashFiles, HaveFlashsTree) {
    std::uint64_t bytes = 0;
    for (auto const& array : amr_arrays({}, FileKind::checkpoint, 10)) {
        auto const is_tree = array.element.members.empty() && array.shape.size() != 4 && !array.attribute_of &&
                             array.element.kind != Element::Kind::text;
        bytes += is_tree ? bytes_of(array) : 0;
    }
    EXPECT_EQ(bytes, 10U * 392);
}

/// Lists are first, so that a file's blocks can be known before its arrays are.
TEST(FlashFiles, HaveListsAtPlacesThatDependOnNoBlocks) {
    auto const few = amr_arrays({}, FileKind::checkpoint, 1);
    auto const many = amr_arrays({}, FileKind::checkpoint, 1000);
    for (std::size_t i = 0; i < few.size(); ++i) {
        EXPECT_EQ(few[i].name, many[i].name);
        if (!few[i].element.members.empty()) {
            EXPECT_EQ(few[i].offset, many[i].offset) << few[i].name;
        }
    }
}

TEST(FlashFiles, HaveEveryBlockInEveryArray) {
    AmrShape const shape{.side = 16};
    for (auto const kind : {FileKind::checkpoint, FileKind::plot, FileKind::corner}) {
        std::size_t variables = 0;
        for (auto const& array : amr_arrays(shape, kind, 73)) {
            if (array.shape.size() == 4) {
                auto const side = kind == FileKind::corner ? 17U : 16U;
                EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{73, side, side, side}));
                EXPECT_EQ(array.element.bytes, kind == FileKind::checkpoint ? 8U : 4U);
                ++variables;
            }
        }
        EXPECT_EQ(variables, kind == FileKind::checkpoint ? variable_names.size() : plotted_variables.size());
    }
}

TEST(FlashPlan, WritesOnlyTheFilesAskedFor) {
    auto const tree = small_tree();
    for (auto const& [files, parts] :
         {std::pair{FilesWritten::all, std::vector<std::string>{"checkpoint", "plot", "corner"}},
          {FilesWritten::checkpoint, {"checkpoint"}},
          {FilesWritten::plot, {"plot"}},
          {FilesWritten::corner, {"corner"}}}) {
        auto const plan = amr_plan({.files = files}, tree, 3, "hdf5");
        std::vector<std::string> names;
        std::ranges::transform(plan.parts, std::back_inserter(names), &DumpPart::name);
        EXPECT_EQ(names, parts);
        EXPECT_NO_THROW(pattern_of_dumps(plan, {.steps = 4, .every = 2}, true));
    }
}

TEST(FlashPlan, SyncsPlotFilesOnlyWhereAskedFor) {
    for (auto const& [sync, files] :
         {std::pair{false, std::vector<std::uint64_t>{aside_file}}, {true, {aside_file, plot_file, corner_file}}}) {
        auto const plan = amr_plan({.sync = sync}, small_tree(), 3, "hdf5");
        std::vector<std::uint64_t> synced;
        for (auto const& step : plan.dump) {
            if (auto const* const one = std::get_if<Sync>(&step)) {
                synced.push_back(one->file);
            }
        }
        EXPECT_EQ(synced, files);
    }
}

TEST(FlashPlan, ReadsTheTreeAndTheStateOnce) {
    auto const tree = small_tree();
    auto plan = amr_plan({}, tree, 3, "hdf5");
    auto pattern = plan.shape;
    pattern.phases = {phase_of("restart", plan.restart)};
    resolve(pattern);
    auto const blocks = tree.size();
    auto const lists = 84U * empty_scalars().integers.size() + 88U * empty_scalars().reals.size();
    EXPECT_EQ(totals(pattern).bytes_read, lists + blocks * (4 + 4 + 60 + 4 + 4 + 24 + 24 + 48) + blocks * 5 * 8 * 512);
}

TEST(FlashOutline, GoesToOtherRanksAsItIs) {
    Outline outline;
    outline.roots = {1, 1, 1};
    outline.time = 0.5;
    outline.number = 3;
    auto const tree = small_tree();
    for (std::size_t b = 0; b < tree.size(); ++b) {
        outline.blocks.push_back(tree.position(b));
    }
    auto const found = outline_from(to_bytes(outline));
    EXPECT_EQ(found.time, 0.5);
    EXPECT_EQ(found.number, 3);
    EXPECT_EQ(found.tree("it"), tree);
}

}  // namespace
}  // namespace weir::flash
