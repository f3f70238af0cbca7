// A contiguous HDF5 dataset, written and read collectively; nothing fills it.

#include <hdf5.h>

#include "array/contender.hpp"
#include "array/tuned.hpp"
#include "core/error.hpp"
#include "core/hdf5_handle.hpp"
#include "storage/backends/hdf5/hdf5_open_file.hpp"
#include "storage/hints.hpp"

namespace weir::performance {
namespace {

template <class Id>
Id checked(Id id, char const* what) {
    if (id < 0) {
        throw Error({what, words_of_hdf5("HDF5 gives no reason"), "", ExitCode::cannot_run});
    }
    return id;
}

class Hdf5 final : public Contender {
  public:
    Hdf5(Block const& block, Hints const& hints)
        : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), transfer_(H5Pcreate(H5P_DATASET_XFER), H5Pclose) {
        refuse_other_mpi_io("romio");
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        MpiInfo const info(hints);
        H5Pset_fapl_mpio(access_.get(), block.comm.handle(), info.get());
        H5Pset_dxpl_mpio(transfer_.get(), H5FD_MPIO_COLLECTIVE);
        H5Pset_all_coll_metadata_ops(access_.get(), true);
        H5Pset_coll_metadata_write(access_.get(), true);
        auto const whole = reversed<hsize_t>({block.edge, block.edge, block.edge});
        auto const count = reversed<hsize_t>(block.count);
        auto const start = reversed<hsize_t>(block.start);
        space_ = {H5Screate_simple(3, whole.data(), nullptr), H5Sclose};
        memory_ = {H5Screate_simple(3, count.data(), nullptr), H5Sclose};
        H5Sselect_hyperslab(space_.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
        layout_ = {H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
        H5Pset_alloc_time(layout_.get(), H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(layout_.get(), H5D_FILL_TIME_NEVER);
    }

    Taken write(std::string const& path, std::span<double> data) override {
        Hdf5Handle file(checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_.get()), "cannot create"),
                        H5Fclose);
        Hdf5Handle set(checked(H5Dcreate2(file.get(), "array", H5T_NATIVE_DOUBLE, space_.get(), H5P_DEFAULT,
                                          layout_.get(), H5P_DEFAULT),
                               "cannot create a dataset"),
                       H5Dclose);
        checked(H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, memory_.get(), space_.get(), transfer_.get(), data.data()),
                "cannot write a dataset");
        expect_collective();
        checked(set.close(), "cannot close a dataset");
        checked(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), "cannot sync");  // calls MPI_File_sync
        checked(file.close(), "cannot close");
        return {};
    }

    Taken read(std::string const& path, std::span<double> data) override {
        auto const file = opened(path);
        Hdf5Handle const set(checked(H5Dopen2(file.get(), "array", H5P_DEFAULT), "cannot open a dataset"), H5Dclose);
        checked(H5Dread(set.get(), H5T_NATIVE_DOUBLE, memory_.get(), space_.get(), transfer_.get(), data.data()),
                "cannot read a dataset");
        expect_collective();
        return {};
    }

    FilePlace place(std::string const& path) override {
        auto const file = opened(path);
        Hdf5Handle const set(checked(H5Dopen2(file.get(), "array", H5P_DEFAULT), "cannot open a dataset"), H5Dclose);
        return {H5Dget_offset(set.get())};
    }

  private:
    Hdf5Handle opened(std::string const& path) {
        return {checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access_.get()), "cannot open"), H5Fclose};
    }

    /// HDF5 may, for reasons of its own, make a collective request independent.
    void expect_collective() {
        std::uint32_t here = 0;
        std::uint32_t anywhere = 0;
        H5Pget_mpio_no_collective_cause(transfer_.get(), &here, &anywhere);
        validate(anywhere == H5D_MPIO_COLLECTIVE, "HDF5 made a collective request independent",
                 "its reasons are bits of " + std::to_string(anywhere), "");
    }

    Hdf5Handle access_;
    Hdf5Handle transfer_;
    Hdf5Handle space_;
    Hdf5Handle memory_;
    Hdf5Handle layout_;
};

Enter const hdf5({.name = "hdf5",
                  .summary = "H5Dwrite, collective, contiguous, over ROMIO tuned as romio-tuned",
                  .role = "public",
                  .mpi_io = "romio",
                  .make = [](Block const& block) { return std::make_unique<Hdf5>(block, tuned_romio()); }});

}  // namespace
}  // namespace weir::performance
