// Datasets that the library writes are read by HDF5, and the other way round.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "array_formats/hdf5/dataset.hpp"
#include "support/arrays/array_fixture.hpp"
#include "support/arrays/typed_field.hpp"
#include "support/failures/file_size_limit.hpp"
#include "weir/hdf5.h"

namespace {

using weir::testing::dataset;
using weir::testing::FileSizeLimit;
using weir::testing::Hdf5Shape;
using weir::testing::make_dataset;
using weir::testing::PlanHandle;
using weir::testing::TypedField;

using Names = std::vector<char const*>;

class Hdf5 : public weir::testing::ArrayFixture {
  protected:
    Hdf5() { H5open(); }

    /// On rank 0 alone, with the file open in HDF5, while the others wait.
    template <class Work>
    void in_file(unsigned how, Work work) {
        comm.barrier();
        on_root([&] {
            bool const create = how == H5F_ACC_EXCL;
            auto const file = create ? H5Fcreate(path.c_str(), how, H5P_DEFAULT, H5P_DEFAULT)
                                     : H5Fopen(path.c_str(), how, H5P_DEFAULT);
            ASSERT_GE(file, 0);
            work(file);
            EXPECT_GE(H5Fclose(file), 0);
        });
    }

    /// Makes a dataset that the library finds there.
    void create(char const* name, hid_t type, Hdf5Shape const& shape, Hdf5Shape const& chunk = {},
                bool compressed = false) {
        in_file(H5F_ACC_EXCL, [&](hid_t file) { make_dataset(file, name, type, shape, chunk, compressed); });
    }

    template <class Number>
    static std::vector<Number> contents(hid_t file, char const* name, hid_t type) {
        auto const set = dataset(file, name);
        weir::Hdf5Handle const space(H5Dget_space(set.get()), H5Sclose);
        std::vector<Number> all(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
        EXPECT_GE(H5Dread(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
        return all;
    }

    static Hdf5Shape shape(hid_t file, char const* name) {
        weir::Hdf5Handle const space(H5Dget_space(dataset(file, name).get()), H5Sclose);
        Hdf5Shape all(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
        H5Sget_simple_extent_dims(space.get(), all.data(), nullptr);
        return all;
    }

    int write(PlanHandle const& plan, Names const& names, std::vector<hid_t> const& types,
              std::vector<void*> const& buffers) {
        return weir_hdf5_write(plan.get(), path.c_str(), names.data(), types.data(), buffers.data(), &error);
    }
    int read(PlanHandle const& plan, Names const& names, std::vector<hid_t> const& types,
             std::vector<void*> const& buffers) {
        return weir_hdf5_read(plan.get(), path.c_str(), names.data(), types.data(), buffers.data(), &error);
    }

    /// Of one array.
    int write(PlanHandle const& plan, char const* name, TypedField<double>& field) {
        return write(plan, {name}, {H5T_NATIVE_DOUBLE}, {field.data()});
    }
    int read(PlanHandle const& plan, char const* name, TypedField<double>& field) {
        return read(plan, {name}, {H5T_NATIVE_DOUBLE}, {field.data()});
    }

    /// A new version of one array is written.
    ::testing::AssertionResult writes(PlanHandle const& plan, char const* name, TypedField<double>& field,
                                      std::int64_t version) {
        field.fill(version);
        return ok(write(plan, name, field));
    }
    /// This version is what is read.
    ::testing::AssertionResult reads(PlanHandle const& plan, char const* name, TypedField<double>& field,
                                     std::int64_t version) {
        field.clear();
        auto const result = ok(read(plan, name, field));
        return result && !field.holds(version) ? ::testing::AssertionFailure() << "it is another version" : result;
    }

    /// There and back through a dataset that is there.
    void goes_there_and_back(char const* options) {
        TypedField<double> field(comm, {9, 8, 7}, WEIR_C_ORDER, 1);
        auto const plan = plan_for({field.array()}, options);
        for (std::int64_t const version : {1, 2}) {
            ASSERT_TRUE(writes(plan, "rho", field, version));
            in_file(H5F_ACC_RDONLY, [&](hid_t file) {
                EXPECT_EQ(contents<double>(file, "rho", H5T_NATIVE_DOUBLE), field.whole(version));
            });
            EXPECT_TRUE(reads(plan, "rho", field, version));
        }
    }
};

TEST_F(Hdf5, HasDatasetsWithoutElements) {
    in_file(H5F_ACC_EXCL, [&](hid_t file) {
        Hdf5Shape const chunk{2, 2};
        Hdf5Shape const shape{0, 4};
        Hdf5Shape const most{H5S_UNLIMITED, 4};
        weir::Hdf5Handle const space(H5Screate_simple(2, shape.data(), most.data()), H5Sclose);
        weir::Hdf5Handle const properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(properties.get(), 2, chunk.data());
        weir::Hdf5Handle const made(
            H5Dcreate2(file, "chunked", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
            H5Dclose);
        EXPECT_GE(made.get(), 0);
    });
    TypedField<double> none(comm, {0, 3});
    TypedField<std::int32_t> within(comm, {2, 0, 5}, WEIR_FORTRAN_ORDER);
    TypedField<double> field(comm, {6, 7});
    auto const plan = plan_for({none.array(), field.array(), within.array()});
    Names const names{"particles/places", "rho", "ids"};
    std::vector<hid_t> const types{H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, H5T_NATIVE_INT32};
    for (std::int64_t const version : {1, 2}) {
        field.fill(version);
        ASSERT_TRUE(ok(write(plan, names, types, {nullptr, field.data(), nullptr})));
        field.clear();
        ASSERT_TRUE(ok(read(plan, names, types, {nullptr, field.data(), nullptr})));
        EXPECT_TRUE(field.holds(version));
    }
    in_file(H5F_ACC_RDONLY, [&](hid_t file) {
        EXPECT_EQ(shape(file, "particles/places"), (Hdf5Shape{0, 3}));
        EXPECT_EQ(shape(file, "ids"), (Hdf5Shape{5, 0, 2}));
        EXPECT_EQ(contents<double>(file, "rho", H5T_NATIVE_DOUBLE), field.whole(2));
    });
    TypedField<double> chunked(comm, {0, 4});
    auto const through_hdf5 = plan_for({chunked.array()});
    EXPECT_TRUE(ok(write(through_hdf5, {"chunked"}, {H5T_NATIVE_DOUBLE}, {nullptr})));
    EXPECT_TRUE(ok(read(through_hdf5, {"chunked"}, {H5T_NATIVE_DOUBLE}, {nullptr})));
}

TEST_F(Hdf5, ReadsSeveralDatasetsThatWereWritten) {
    TypedField<double> density(comm, {5, 6, 7}, WEIR_C_ORDER, 1);
    TypedField<std::int32_t> phase(comm, {9, 4}, WEIR_FORTRAN_ORDER);
    TypedField<std::int16_t> count(comm, {3});
    auto const plan = plan_for({density.array(), phase.array(), count.array()});
    Names const names{"/fields/density", "/fields/more/phase", "count"};
    std::vector<hid_t> const types{H5T_NATIVE_DOUBLE, H5T_NATIVE_INT32, H5T_NATIVE_INT16};
    std::vector<void*> const buffers{density.data(), phase.data(), count.data()};
    weir::testing::fill_in_turn(density, phase, count);
    ASSERT_TRUE(ok(write(plan, names, types, buffers)));

    in_file(H5F_ACC_RDONLY, [&](hid_t file) {
        EXPECT_EQ(contents<double>(file, names[0], types[0]), density.whole(1));
        EXPECT_EQ(contents<std::int32_t>(file, names[1], types[1]), phase.whole(2));
        EXPECT_EQ(contents<std::int16_t>(file, names[2], types[2]), count.whole(3));
        EXPECT_EQ(shape(file, names[0]), (Hdf5Shape{5, 6, 7}));
        EXPECT_EQ(shape(file, names[1]), (Hdf5Shape{4, 9})) << "as HDF5's Fortran interface has it";
    });
    weir::testing::clear_all(density, phase, count);
    ASSERT_TRUE(ok(read(plan, names, types, buffers)));
    EXPECT_TRUE(weir::testing::hold_in_turn(density, phase, count));
}

TEST_F(Hdf5, WritesAgainIntoTheSameDatasetAndKeepsTheRest) {
    TypedField<double> field(comm, {40, 50});
    auto const plan = plan_for({field.array()});
    ASSERT_TRUE(writes(plan, "a", field, 1));
    ASSERT_TRUE(writes(plan, "b", field, 2));
    ASSERT_TRUE(writes(plan, "a", field, 3));
    in_file(H5F_ACC_RDONLY, [&](hid_t file) {
        EXPECT_EQ(contents<double>(file, "a", H5T_NATIVE_DOUBLE), field.whole(3));
        EXPECT_EQ(contents<double>(file, "b", H5T_NATIVE_DOUBLE), field.whole(2));
    });
}

TEST_F(Hdf5, GivesLargeDatasetsPlacesAtWholeStripes) {
    TypedField<double> field(comm, {1 << 17});
    auto const plan = plan_for({field.array()});
    ASSERT_TRUE(writes(plan, "a", field, 0));
    in_file(H5F_ACC_RDONLY, [&](hid_t file) { EXPECT_EQ(H5Dget_offset(dataset(file, "a").get()) % (1 << 20), 0); });
}

TEST_F(Hdf5, ChecksumsAreOfTheDatasetsAlone) {
    TypedField<double> field(comm, {9, 8, 7});
    TypedField<std::int16_t> other(comm, {5});
    auto const plan = plan_for({field.array(), other.array()}, "checksum=true");
    Names const names{"a/rho", "b/other"};
    std::vector<hid_t> const types{H5T_NATIVE_DOUBLE, H5T_NATIVE_INT16};
    weir::testing::fill_in_turn(field, other);
    ASSERT_TRUE(ok(write(plan, names, types, {field.data(), other.data()})));
    in_file(H5F_ACC_RDWR,
            [&](hid_t file) { H5Gclose(H5Gcreate2(file, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); });
    ASSERT_TRUE(ok(read(plan, names, types, {field.data(), other.data()})));
    in_file(H5F_ACC_RDWR, [&](hid_t file) {
        std::array<std::int16_t, 5> const changed{};
        H5Dwrite(dataset(file, "b/other").get(), H5T_NATIVE_INT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, changed.data());
    });
    EXPECT_EQ(read(plan, names, types, {field.data(), other.data()}), WEIR_CHECKSUM) << error.message;
}

TEST_F(Hdf5, MovesWhatOnlyItCanThoughTheBoundOfMemoryIsForAnotherMethod) {
    create("rho", H5T_NATIVE_DOUBLE, {9, 8, 7}, {4, 4, 4});
    goes_there_and_back("method=independent memory=6KiB");
}

TEST_F(Hdf5, MovesDatasetsThatHaveNoPlaceYet) {
    create("rho", H5T_NATIVE_DOUBLE, {9, 8, 7});
    TypedField<double> field(comm, {9, 8, 7});
    auto const plan = plan_for({field.array()});
    ASSERT_TRUE(ok(read(plan, "rho", field)));
    EXPECT_EQ(*static_cast<double*>(field.data()), 0);
    goes_there_and_back("");
}

TEST_F(Hdf5, MovesNumbersOfTheOtherByteOrder) {
    create("rho", H5T_IEEE_F64BE, {9, 8, 7});
    goes_there_and_back("window=100B align=4B");
}

TEST_F(Hdf5, MovesChunks) {
    create("rho", H5T_NATIVE_DOUBLE, {9, 8, 7}, {2, 3, 4});
    goes_there_and_back("");
}

TEST_F(Hdf5, MovesCompressedChunksInWindowsThatCutElements) {
    create("rho", H5T_NATIVE_DOUBLE, {9, 8, 7}, {4, 4, 4}, true);
    goes_there_and_back("window=100B align=4B");
}

TEST_F(Hdf5, ConvertsTypesOfTheSameSize) {
    create("rho", H5T_STD_I64LE, {9, 8, 7});
    goes_there_and_back("");
}

TEST_F(Hdf5, MovesElementsOfSeveralValues) {
    struct Cell {
        double pressure = 0;
        std::int32_t kind = 0;
        Cell() = default;
        explicit Cell(std::int64_t place) : pressure(static_cast<double>(place)), kind(static_cast<int>(place)) {}
        bool operator==(Cell const&) const = default;
    };
    auto const type = H5Tcreate(H5T_COMPOUND, sizeof(Cell));
    H5Tinsert(type, "pressure", offsetof(Cell, pressure), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "kind", offsetof(Cell, kind), H5T_NATIVE_INT32);
    TypedField<Cell> cells(comm, {13, 5});
    auto const plan = plan_for({cells.array()});
    cells.fill(4);
    ASSERT_TRUE(ok(write(plan, {"cells"}, {type}, {cells.data()})));
    in_file(H5F_ACC_RDONLY, [&](hid_t file) { EXPECT_TRUE(contents<Cell>(file, "cells", type) == cells.whole(4)); });
    cells.clear();
    ASSERT_TRUE(ok(read(plan, {"cells"}, {type}, {cells.data()})));
    EXPECT_TRUE(cells.holds(4));
    H5Tclose(type);
}

/// A part of a larger dataset, contiguous or in chunks: the rest stays.
class Part : public Hdf5, public ::testing::WithParamInterface<bool> {};

TEST_P(Part, OfALargerDatasetLeavesTheRestAlone) {
    std::array<std::int64_t, 2> const larger{6, 9};
    std::array<std::int64_t, 2> const start{2, 3};
    create("rho", H5T_NATIVE_DOUBLE, {6, 9}, GetParam() ? Hdf5Shape{4, 4} : Hdf5Shape{});
    TypedField<double> field(comm, {3, 5});
    weir_array_within(field.array(), larger.data(), start.data(), nullptr);
    auto const plan = plan_for({field.array()});
    ASSERT_TRUE(writes(plan, "rho", field, 1));
    in_file(H5F_ACC_RDONLY, [&](hid_t file) {
        auto const all = contents<double>(file, "rho", H5T_NATIVE_DOUBLE);
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t j = 0; j < 9; ++j) {
                bool const inside = i >= 2 && i < 5 && j >= 3 && j < 8;
                EXPECT_EQ(all[i * 9 + j], inside ? static_cast<double>((i - 2) * 5 + j - 3 + 1) : 0);
            }
        }
    });
    EXPECT_TRUE(reads(plan, "rho", field, 1));
}

INSTANTIATE_TEST_SUITE_P(ContiguousAndChunked, Part, ::testing::Bool());

TEST_F(Hdf5, MovesBoxesAndPiecesIntoChunksAndBack) {
    auto const rank = static_cast<std::int64_t>(comm.rank());
    std::array<std::int64_t, 2> const shape{2 * ranks, 3};
    std::array<std::int64_t, 2> const start{2 * rank, 0};
    std::array<std::int64_t, 2> const count{2, 3};
    std::array<std::int64_t, 2> const offsets{rank, ranks + rank};
    using weir::testing::array_by;
    auto const boxes =
        array_by(weir_array_boxes, 2, shape.data(), 1, start.data(), count.data(), sizeof(int), WEIR_C_ORDER);
    auto const listed = array_by(weir_array_pieces, 2 * ranks, 2, offsets.data(), nullptr, sizeof(int));
    auto const plan = plan_for({boxes.get(), listed.get()});
    auto const rows = static_cast<hsize_t>(2 * ranks);
    create("boxes", H5T_NATIVE_INT, {rows, 3}, {2, 2}, true);
    in_file(H5F_ACC_RDWR, [&](hid_t file) {  // beside it, contiguous: it goes the same way
        make_dataset(file, "pieces", H5T_NATIVE_INT, {rows});
    });
    std::array<int, 6> box{};
    std::array<int, 2> pieces{static_cast<int>(rank), static_cast<int>(ranks + rank)};
    std::iota(box.begin(), box.end(), static_cast<int>(6 * rank));
    auto const wanted = std::pair(box, pieces);
    std::vector<hid_t> const types{H5T_NATIVE_INT, H5T_NATIVE_INT};
    ASSERT_TRUE(ok(write(plan, {"boxes", "pieces"}, types, {box.data(), pieces.data()})));
    in_file(H5F_ACC_RDONLY, [&](hid_t file) {
        std::vector<int> ascending(static_cast<std::size_t>(6 * ranks));
        std::iota(ascending.begin(), ascending.end(), 0);
        EXPECT_EQ(contents<int>(file, "boxes", H5T_NATIVE_INT), ascending);
        ascending.resize(static_cast<std::size_t>(2 * ranks));
        EXPECT_EQ(contents<int>(file, "pieces", H5T_NATIVE_INT), ascending);
    });
    box.fill(-1);
    pieces.fill(-1);
    ASSERT_TRUE(ok(read(plan, {"boxes", "pieces"}, types, {box.data(), pieces.data()})));
    EXPECT_EQ(std::pair(box, pieces), wanted);
}

TEST_F(Hdf5, RefusesDatasetsThatDoNotFit) {
    create("rho", H5T_NATIVE_DOUBLE, {9, 8});
    TypedField<double> transposed(comm, {9, 8}, WEIR_FORTRAN_ORDER);
    TypedField<double> other(comm, {9, 8});
    auto const plan = plan_for({other.array(), transposed.array()});
    std::vector<hid_t> const types{H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE};
    EXPECT_EQ(write(plan, {"new", "rho"}, types, {other.data(), transposed.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("dataset rho"));
    EXPECT_TRUE(says("it is 9 x 8 elements of 8 bytes, and the array 8 x 9 of 8"));
    in_file(H5F_ACC_RDONLY, [&](hid_t file) { EXPECT_EQ(H5Lexists(file, "new", H5P_DEFAULT), 0); });

    TypedField<float> narrow(comm, {9, 8});
    auto const floats = plan_for({narrow.array()});
    EXPECT_EQ(read(floats, {"rho"}, {H5T_NATIVE_FLOAT}, {narrow.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("elements of 8 bytes, and the array 9 x 8 of 4"));
}

TEST_F(Hdf5, RefusesWhatMeansNothing) {
    TypedField<double> field(comm, {9, 8});
    auto const plan = plan_for({field.array()});
    EXPECT_EQ(write(plan, {"rho"}, {H5T_NATIVE_FLOAT}, {field.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("it has 4 bytes, and the elements have 8"));
    EXPECT_EQ(write(plan, {"rho"}, {H5P_DEFAULT}, {field.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(write(plan, {nullptr}, {H5T_NATIVE_DOUBLE}, {field.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(weir_hdf5_write(plan.get(), path.c_str(), nullptr, nullptr, nullptr, &error), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(weir_hdf5_write(nullptr, path.c_str(), nullptr, nullptr, nullptr, &error), WEIR_BAD_ARGUMENT);
    auto const safe = plan_for({field.array()}, "safe=true");
    EXPECT_EQ(write(safe, "rho", field), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("write to another name, and rename that"));
    if (!alone) {
        EXPECT_EQ(write(plan, is_last ? "rho" : "phi", field), WEIR_DISAGREE);
        EXPECT_TRUE(says("rho"));
        EXPECT_EQ(write(plan, is_last ? nullptr : "phi", field), WEIR_BAD_ARGUMENT);
        EXPECT_EQ(error.rank, comm.size() - 1);
    }
    EXPECT_EQ(directory.entries(), 0);
}

TEST_F(Hdf5, TellsOnAllRanksWhatIsNotThere) {
    TypedField<double> field(comm, {9, 8});
    auto const plan = plan_for({field.array()});
    EXPECT_EQ(read(plan, "rho", field), WEIR_IO);
    EXPECT_TRUE(says("cannot be opened") && says("No such file"));
    create("rho", H5T_NATIVE_DOUBLE, {9, 8});
    EXPECT_EQ(read(plan, "deep/rho", field), WEIR_IO);
    EXPECT_TRUE(says("has no dataset deep/rho"));
    EXPECT_EQ(write(plan, "rho/deep", field), WEIR_IO);
    EXPECT_TRUE(says("gets no dataset rho/deep"));
    path = directory.path() / "text";
    if (comm.is_root()) {
        std::ofstream(path) << "no dataset at all";
    }
    EXPECT_EQ(write(plan, "rho", field), WEIR_IO);
    EXPECT_TRUE(says("it is no HDF5 file"));
}

TEST_F(Hdf5, ADiskThatIsFullForHdf5IsTheSameErrorOnAllRanksAndLeavesNothingOpen) {
    create("rho", H5T_NATIVE_DOUBLE, {64, 64, 512}, {64, 64, 16});
    TypedField<double> field(comm, {64, 64, 512});
    auto const plan = plan_for({field.array()}, "window=1MiB");
    auto const open_before = H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL);
    field.fill(1);
    {
        // MPI's shared memory is in files too, and fits.
        FileSizeLimit const full(comm.is_root() ? 12'000'000 : RLIM_INFINITY);
        EXPECT_EQ(write(plan, "rho", field), WEIR_IO);
        EXPECT_TRUE(says("File too large"));
    }
    // HDF5 would crash, or say that it closes in an infinite loop, when the program ends.
    EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), open_before);
    if (comm.is_root()) {
        std::filesystem::remove(path);
    }
    create("rho", H5T_NATIVE_DOUBLE, {64, 64, 512}, {64, 64, 16});
    ASSERT_TRUE(ok(write(plan, "rho", field)));
    EXPECT_TRUE(reads(plan, "rho", field, 1));
}

}  // namespace
