// Variables that the library writes are read by PnetCDF, and the other way round.

#include <gtest/gtest.h>

#include <fstream>

#include "support/arrays/array_fixture.hpp"
#include "support/arrays/typed_field.hpp"
#include "weir/pnetcdf.h"

namespace {

using weir::testing::PlanHandle;
using weir::testing::TypedField;

using Names = std::vector<char const*>;

class Pnetcdf : public weir::testing::ArrayFixture {
  protected:
    /// On rank 0 alone, with the file open in PnetCDF, while the others wait.
    template <class Work>
    void in_file(int how, Work work) {
        comm.barrier();
        on_root([&] {
            int file = -1;
            bool const create = (how & NC_NOCLOBBER) != 0;
            ASSERT_EQ(create ? ncmpi_create(MPI_COMM_SELF, path.c_str(), how, MPI_INFO_NULL, &file)
                             : ncmpi_open(MPI_COMM_SELF, path.c_str(), how, MPI_INFO_NULL, &file),
                      NC_NOERR);
            work(file);
            EXPECT_EQ(ncmpi_close(file), NC_NOERR);
        });
    }

    /// All of a variable, or one record of it, as doubles.
    static std::vector<double> contents(int file, char const* name, int record = -1) {
        int id = -1;
        int dims = 0;
        EXPECT_EQ(ncmpi_inq_varid(file, name, &id), NC_NOERR);
        ncmpi_inq_varndims(file, id, &dims);
        auto count = shape(file, name);
        std::vector<MPI_Offset> start(count.size());
        if (record >= 0) {
            start[0] = record;
            count[0] = 1;
        }
        std::size_t elements = 1;
        for (auto const n : count) {
            elements *= static_cast<std::size_t>(n);
        }
        std::vector<double> all(elements);
        EXPECT_EQ(ncmpi_get_vara_double_all(file, id, start.data(), count.data(), all.data()), NC_NOERR);
        return all;
    }

    static std::vector<MPI_Offset> shape(int file, char const* name) {
        int id = -1;
        int dims = 0;
        ncmpi_inq_varid(file, name, &id);
        ncmpi_inq_varndims(file, id, &dims);
        std::vector<int> dimensions(static_cast<std::size_t>(dims));
        ncmpi_inq_vardimid(file, id, dimensions.data());
        std::vector<MPI_Offset> all;
        for (auto const dimension : dimensions) {
            ncmpi_inq_dimlen(file, dimension, &all.emplace_back());
        }
        return all;
    }

    int write(PlanHandle const& plan, Names const& names, std::vector<nc_type> const& types,
              std::vector<void*> const& buffers, std::int64_t record = -1) {
        return weir_pnetcdf_write(plan.get(), path.c_str(), names.data(), types.data(), record, buffers.data(), &error);
    }
    int read(PlanHandle const& plan, Names const& names, std::vector<nc_type> const& types,
             std::vector<void*> const& buffers, std::int64_t record = -1) {
        return weir_pnetcdf_read(plan.get(), path.c_str(), names.data(), types.data(), record, buffers.data(), &error);
    }

    /// Of one array.
    int write(PlanHandle const& plan, char const* name, TypedField<double>& field) {
        return write(plan, {name}, {NC_DOUBLE}, {field.data()});
    }

    template <class Number>
    static std::vector<double> doubles(std::vector<Number> const& numbers) {
        return {numbers.begin(), numbers.end()};
    }
};

TEST_F(Pnetcdf, ReadsVariablesOfAllSizesThatWereWritten) {
    for (auto const* options : {"", "method=independent", "method=two_phase window=107B align=5B exchange=messages"}) {
        TypedField<double> density(comm, {5, 6, 7}, WEIR_C_ORDER, 1);
        TypedField<std::int32_t> phase(comm, {9, 4}, WEIR_FORTRAN_ORDER);
        TypedField<std::int16_t> kind(comm, {11});
        TypedField<signed char> flag(comm, {6, 7});
        auto const plan = plan_for({density.array(), phase.array(), kind.array(), flag.array()}, options);
        Names const names{"density(z, y, x)", "phase", "kind(n)", "flag(y,x)"};
        std::vector<nc_type> const types{NC_DOUBLE, NC_INT, NC_SHORT, NC_BYTE};
        std::vector<void*> const buffers{density.data(), phase.data(), kind.data(), flag.data()};
        weir::testing::fill_in_turn(density, phase, kind, flag);
        ASSERT_TRUE(ok(write(plan, names, types, buffers)));

        in_file(NC_NOWRITE, [&](int file) {
            EXPECT_EQ(contents(file, "density"), density.whole(1)) << options;
            EXPECT_EQ(contents(file, "phase"), doubles(phase.whole(2)));
            EXPECT_EQ(contents(file, "kind"), doubles(kind.whole(3)));
            EXPECT_EQ(contents(file, "flag"), doubles(flag.whole(4)));
            EXPECT_EQ(shape(file, "phase"), (std::vector<MPI_Offset>{4, 9})) << "as netCDF's Fortran interface has it";
            int format = 0;
            int dims = 0;
            ncmpi_inq_format(file, &format);
            ncmpi_inq_ndims(file, &dims);
            EXPECT_EQ(format, NC_FORMAT_CDF5);
            EXPECT_EQ(dims, 6) << "z, y, x, n, dim_4, dim_9";
        });
        weir::testing::clear_all(density, phase, kind, flag);
        ASSERT_TRUE(ok(read(plan, {"density", "phase", "kind", "flag"}, types, buffers)));
        EXPECT_TRUE(weir::testing::hold_in_turn(density, phase, kind, flag)) << options;
    }
}

TEST_F(Pnetcdf, LeavesNothingOutAtTheEndOfTheFile) {
    TypedField<signed char> flag(comm, {5});
    auto const plan = plan_for({flag.array()});
    flag.fill(1);
    ASSERT_TRUE(ok(write(plan, {"flag"}, {NC_BYTE}, {flag.data()})));
    comm.barrier();
    EXPECT_EQ(std::filesystem::file_size(path) % 4, 0);
}

/// Files of other programs in each version of the format, with attributes that stay.
class Version : public Pnetcdf, public ::testing::WithParamInterface<int> {};

TEST_P(Version, OfTheFormatIsWrittenIntoAndRead) {
    in_file(NC_NOCLOBBER | GetParam(), [&](int file) {
        int dims[2];
        int id = -1;
        ncmpi_def_dim(file, "y", 6, &dims[0]);
        ncmpi_def_dim(file, "x", 7, &dims[1]);
        ncmpi_def_var(file, "flux", NC_FLOAT, 2, dims, &id);
        ncmpi_put_att_text(file, id, "units", 5, "W m-2");
        ncmpi_enddef(file);
    });
    TypedField<float> flux(comm, {6, 7});
    TypedField<double> more(comm, {3, 7});
    auto const plan = plan_for({flux.array(), more.array()});
    weir::testing::fill_in_turn(flux, more);
    ASSERT_TRUE(ok(write(plan, {"flux", "more(w, x)"}, {NC_FLOAT, NC_DOUBLE}, {flux.data(), more.data()})));
    in_file(NC_NOWRITE, [&](int file) {
        EXPECT_EQ(contents(file, "flux"), doubles(flux.whole(1)));
        EXPECT_EQ(contents(file, "more"), more.whole(2));
        char units[6] = "";
        EXPECT_EQ(ncmpi_get_att_text(file, 0, "units", units), NC_NOERR);
        EXPECT_STREQ(units, "W m-2");
    });
    weir::testing::clear_all(flux, more);
    ASSERT_EQ(read(plan, {"flux", "more"}, {NC_FLOAT, NC_DOUBLE}, {flux.data(), more.data()}), WEIR_OK);
    EXPECT_TRUE(weir::testing::hold_in_turn(flux, more));
}

INSTANTIATE_TEST_SUITE_P(All, Version, ::testing::Values(0, NC_64BIT_OFFSET, NC_64BIT_DATA));

TEST_F(Pnetcdf, WritesOneRecordAfterTheOther) {
    TypedField<double> density(comm, {6, 7});
    TypedField<std::int16_t> kind(comm, {5});
    TypedField<float> mask(comm, {6, 7});
    auto const plan = plan_for({density.array(), kind.array(), mask.array()});
    Names const names{"density(time, y, x)", "kind(time, n)", "mask(y, x)"};
    std::vector<nc_type> const types{NC_DOUBLE, NC_SHORT, NC_FLOAT};
    std::vector<void*> const buffers{density.data(), kind.data(), mask.data()};
    for (std::int64_t const record : {0, 1, 2, 1}) {
        density.fill(10 * record);
        kind.fill(20 * record);
        mask.fill(7);
        ASSERT_TRUE(ok(write(plan, names, types, buffers, record)));
    }
    in_file(NC_NOWRITE, [&](int file) {
        EXPECT_EQ(shape(file, "density"), (std::vector<MPI_Offset>{3, 6, 7}));
        for (int const record : {0, 1, 2}) {
            EXPECT_EQ(contents(file, "density", record), density.whole(10 * record));
            EXPECT_EQ(contents(file, "kind", record), doubles(kind.whole(20 * record)));
        }
        EXPECT_EQ(contents(file, "mask"), doubles(mask.whole(7)));
    });
    ASSERT_TRUE(ok(read(plan, {"density", "kind", "mask"}, types, buffers, 2)));
    EXPECT_TRUE(density.holds(20) && kind.holds(40) && mask.holds(7));
    EXPECT_EQ(read(plan, {"density", "kind", "mask"}, types, buffers, 3), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("has no record 3") && says("there are 3 records"));
    EXPECT_EQ(write(plan, {"density", "kind", "mask"}, types, buffers), WEIR_BAD_ARGUMENT);
}

TEST_F(Pnetcdf, HasNoRecordsOfAnArrayWithoutElements) {
    TypedField<double> places(comm, {0, 3});
    TypedField<std::int32_t> ids(comm, {0});
    TypedField<double> field(comm, {6, 7});
    auto const plan = plan_for({places.array(), field.array(), ids.array()});
    Names const names{"places(particle, xyz)", "rho(y, x)", "ids(particle)"};
    std::vector<nc_type> const types{NC_DOUBLE, NC_DOUBLE, NC_INT};
    std::vector<void*> const buffers{nullptr, field.data(), nullptr};
    for (std::int64_t const version : {1, 2}) {
        field.fill(version);
        ASSERT_TRUE(ok(write(plan, names, types, buffers)));
        field.clear();
        ASSERT_TRUE(ok(read(plan, {"places", "rho", "ids"}, types, buffers)));
        EXPECT_TRUE(field.holds(version));
    }
    in_file(NC_NOWRITE, [&](int file) {
        EXPECT_EQ(shape(file, "places"), (std::vector<MPI_Offset>{0, 3}));
        EXPECT_EQ(shape(file, "ids"), (std::vector<MPI_Offset>{0}));
        EXPECT_EQ(contents(file, "rho"), field.whole(2));
    });

    TypedField<double> five(comm, {5, 3});
    auto const more = plan_for({five.array()});
    EXPECT_EQ(write(more, "places", five), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("it is 0 x 3 of NC_DOUBLE, the first dimension unlimited, and the array 5 x 3 of NC_DOUBLE"));
    auto const record = plan_for({field.array()});
    ASSERT_TRUE(ok(write(record, {"step(particle, y, x)"}, {NC_DOUBLE}, {field.data()}, 0)));
    EXPECT_EQ(read(plan, {"places", "rho", "ids"}, types, buffers), WEIR_BAD_ARGUMENT) << "it has a record now";
}

TEST_F(Pnetcdf, RefusesArraysWithoutElementsBesideRecords) {
    TypedField<double> none(comm, {0, 3});
    TypedField<double> field(comm, {6, 7});
    auto const plan = plan_for({none.array(), field.array()});
    std::vector<nc_type> const types{NC_DOUBLE, NC_DOUBLE};
    EXPECT_EQ(write(plan, {"a(t, x)", "b(t, y, z)"}, types, {nullptr, field.data()}, 0), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("variable a of") && says("variable b has records"));
    EXPECT_EQ(directory.entries(), 0);
    auto const alone_in_it = plan_for({field.array()});
    ASSERT_TRUE(ok(write(alone_in_it, {"b(t, y, z)"}, {NC_DOUBLE}, {field.data()}, 0)));
    auto const empty = plan_for({none.array()});
    EXPECT_EQ(write(empty, {"a(t, x)"}, {NC_DOUBLE}, {nullptr}), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("the file has 1 records"));
    EXPECT_EQ(write(empty, {"a(time, t, x)"}, {NC_DOUBLE}, {nullptr}, 0), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("it is 0 x 3, and classic netCDF has only one dimension of length 0"));
    TypedField<double> within(comm, {3, 0});
    EXPECT_EQ(write(plan_for({within.array()}), {"a(t, x)"}, {NC_DOUBLE}, {nullptr}), WEIR_BAD_ARGUMENT);
}

TEST_F(Pnetcdf, RefusesVariablesThatDoNotFit) {
    TypedField<double> field(comm, {6, 7});
    auto const plan = plan_for({field.array()});
    field.fill(1);
    ASSERT_TRUE(ok(write(plan, "rho(y, x)", field)));

    TypedField<double> transposed(comm, {6, 7}, WEIR_FORTRAN_ORDER);
    TypedField<double> other(comm, {6, 7});
    auto const both = plan_for({other.array(), transposed.array()});
    std::vector<nc_type> const doubles{NC_DOUBLE, NC_DOUBLE};
    EXPECT_EQ(write(both, {"new", "rho"}, doubles, {other.data(), transposed.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("it is 6 x 7 of NC_DOUBLE, and the array 7 x 6 of NC_DOUBLE"));
    in_file(NC_NOWRITE, [&](int file) {
        int id = -1;
        EXPECT_EQ(ncmpi_inq_varid(file, "new", &id), NC_ENOTVAR);
    });
    EXPECT_EQ(read(plan, {"rho"}, {NC_INT64}, {field.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("of NC_DOUBLE, and the array 6 x 7 of NC_INT64"));
    EXPECT_EQ(write(plan, "next(x, y)", field), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("dimension x of"));
}

TEST_F(Pnetcdf, RefusesWhatMeansNothing) {
    TypedField<double> field(comm, {9, 8});
    auto const plan = plan_for({field.array()});
    for (auto const* name : {"", "(y, x)", "rho(y", "rho(y,)", "rho(y, x) more", "rho(x)", "rho(a, b, c, d)"}) {
        EXPECT_EQ(write(plan, name, field), WEIR_BAD_ARGUMENT) << name;
    }
    EXPECT_EQ(write(plan, {nullptr}, {NC_DOUBLE}, {field.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(write(plan, {"rho"}, {NC_FLOAT}, {field.data()}), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("it is NC_FLOAT of 4 bytes, and the elements have 8"));
    EXPECT_EQ(write(plan, "rho(x, x)", field), WEIR_BAD_ARGUMENT) << "of two lengths";
    auto const safe = plan_for({field.array()}, "safe=true");
    EXPECT_EQ(write(safe, "rho", field), WEIR_BAD_ARGUMENT);
    if (!alone) {
        auto const record = static_cast<std::int64_t>(comm.rank());
        EXPECT_EQ(write(plan, {"rho(t, y, x)"}, {NC_DOUBLE}, {field.data()}, record), WEIR_DISAGREE);
    }
    EXPECT_EQ(directory.entries(), 0);
}

TEST_F(Pnetcdf, TellsOnAllRanksWhatIsNotThere) {
    TypedField<double> field(comm, {9, 8});
    auto const plan = plan_for({field.array()});
    EXPECT_EQ(read(plan, {"rho"}, {NC_DOUBLE}, {field.data()}), WEIR_IO);
    EXPECT_TRUE(says("cannot be opened") && says("exist"));
    if (comm.is_root()) {
        std::ofstream(path) << "no variable at all";
    }
    EXPECT_EQ(write(plan, "rho", field), WEIR_IO);
    EXPECT_TRUE(says("cannot be opened"));
}

}  // namespace
