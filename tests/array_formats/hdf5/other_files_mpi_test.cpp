// A file that leads HDF5 into other files is refused, and these are not opened.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>

#include "array_formats/hdf5/dataset.hpp"
#include "support/arrays/array_fixture.hpp"
#include "support/arrays/typed_field.hpp"
#include "support/file_bytes.hpp"
#include "weir/hdf5.h"

namespace {

using weir::Hdf5Handle;
using weir::testing::dataspace;
using weir::testing::Hdf5Shape;
using weir::testing::TypedField;

Hdf5Shape const shape{9, 8, 7};

/// A dataset "rho" with these creation properties.
void make_rho(hid_t file, std::function<void(hid_t)> const& describe) {
    Hdf5Handle const properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    describe(properties.get());
    Hdf5Handle const made(
        H5Dcreate2(file, "rho", H5T_NATIVE_DOUBLE, dataspace(shape).get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
        H5Dclose);
    EXPECT_GE(made.get(), 0);
}

/// How the dataset `asked` of a file is data of the file "victim" beside it.
struct Way {
    char const* name;
    char const* asked;
    void (*lead)(hid_t file, char const* victim);
};

constexpr std::array ways{
    Way{"ExternalStorage", "rho",
        [](hid_t file, char const* victim) {
            make_rho(file, [&](hid_t properties) { H5Pset_external(properties, victim, 0, H5F_UNLIMITED); });
        }},
    Way{"ExternalLink", "rho",
        [](hid_t file, char const* victim) {
            H5Lcreate_external(victim, "/rho", file, "rho", H5P_DEFAULT, H5P_DEFAULT);
        }},
    Way{"SoftLinkToAnExternalLink", "rho",
        [](hid_t file, char const* victim) {
            H5Lcreate_external(victim, "/rho", file, "other", H5P_DEFAULT, H5P_DEFAULT);
            H5Lcreate_soft("/other", file, "rho", H5P_DEFAULT, H5P_DEFAULT);
        }},
    Way{"GroupOfAnotherFile", "fields/rho",
        [](hid_t file, char const* victim) {
            H5Lcreate_external(victim, "/", file, "fields", H5P_DEFAULT, H5P_DEFAULT);
        }},
    Way{"NewDatasetInAGroupOfAnotherFile", "fields/phi",
        [](hid_t file, char const* victim) {
            H5Lcreate_external(victim, "/", file, "fields", H5P_DEFAULT, H5P_DEFAULT);
        }},
    Way{"VirtualDataset", "rho",
        [](hid_t file, char const* victim) {
            make_rho(file, [&](hid_t properties) {
                H5Pset_virtual(properties, dataspace(shape).get(), victim, "/rho", dataspace(shape).get());
            });
        }},
};

class OtherFiles : public weir::testing::ArrayFixture, public ::testing::WithParamInterface<Way> {
  protected:
    OtherFiles() { H5open(); }

    /// The file that the library is given.
    void make_file() {
        on_root([&] {
            Hdf5Handle const file(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
            GetParam().lead(file.get(), victim.c_str());
        });
    }

    void refuses() {
        TypedField<double> field(comm, {9, 8, 7});
        auto const plan = plan_for({field.array()});
        auto const* const name = GetParam().asked;
        hid_t const type = H5T_NATIVE_DOUBLE;
        void* const buffer = field.data();
        EXPECT_EQ(weir_hdf5_read(plan.get(), path.c_str(), &name, &type, &buffer, &error), WEIR_IO);
        EXPECT_TRUE(says("another file")) << error.message;
        EXPECT_EQ(weir_hdf5_write(plan.get(), path.c_str(), &name, &type, &buffer, &error), WEIR_IO);
        EXPECT_TRUE(says("another file")) << error.message;
    }

    std::string victim = directory.path() / "victim";
};

TEST_P(OtherFiles, AreNeitherReadNorChanged) {
    on_root([&] {
        Hdf5Handle const file(H5Fcreate(victim.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
        weir::testing::make_dataset(file.get(), "rho", H5T_NATIVE_DOUBLE, shape);
    });
    make_file();
    auto const before = weir::testing::bytes_of_file(victim);
    refuses();
    EXPECT_EQ(weir::testing::bytes_of_file(victim), before);
}

/// Whoever opens a pipe waits for its writer.
TEST_P(OtherFiles, AreNotEvenOpened) {
    on_root([&] { ASSERT_EQ(mkfifo(victim.c_str(), 0600), 0); });
    make_file();
    refuses();
}

INSTANTIATE_TEST_SUITE_P(All, OtherFiles, ::testing::ValuesIn(ways), [](auto const& way) { return way.param.name; });

/// Links within the file are as good as names.
TEST(OwnLinks, AreFollowed) {
    weir::Communicator const comm = weir::Communicator::duplicate(MPI_COMM_WORLD);
    weir::testing::TemporaryDirectory const directory(comm);
    std::string const path = directory.path() / "file";
    weir::testing::on_root(comm, [&] {
        Hdf5Handle const file(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
        weir::testing::make_dataset(file.get(), "phi", H5T_NATIVE_DOUBLE, shape);
        H5Lcreate_soft("/phi", file.get(), "rho", H5P_DEFAULT, H5P_DEFAULT);
    });
    TypedField<double> field(comm, {9, 8, 7});
    auto const plan = weir::testing::plan_of(comm, {field.array()}, "");
    auto const* const name = "rho";
    hid_t const type = H5T_NATIVE_DOUBLE;
    void* const buffer = field.data();
    weir_error error{};
    field.fill(3);
    EXPECT_EQ(weir_hdf5_write(plan.get(), path.c_str(), &name, &type, &buffer, &error), WEIR_OK) << error.message;
    field.clear();
    EXPECT_EQ(weir_hdf5_read(plan.get(), path.c_str(), &name, &type, &buffer, &error), WEIR_OK) << error.message;
    EXPECT_TRUE(field.holds(3));
}

}  // namespace
