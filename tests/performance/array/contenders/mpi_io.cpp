// MPI_File_write_all and read_all through a view of the rank's subarray, by each implementation of MPI-IO: as it is
// where nobody chooses, and with the settings that are fastest on one node.

#include <mpi.h>

#include "array/contender.hpp"
#include "array/tuned.hpp"
#include "core/error.hpp"
#include "storage/hints.hpp"

namespace weir::performance {
namespace {

class MpiIo final : public Contender {
  public:
    MpiIo(Block const& block, std::string const& implementation, Hints const& hints) : block_(block), info_(hints) {
        refuse_other_mpi_io(implementation);
        auto const whole = as<int>({block.edge, block.edge, block.edge});
        auto const part = as<int>(block.count);
        auto const start = as<int>(block.start);
        MPI_Type_create_subarray(3, whole.data(), part.data(), start.data(), MPI_ORDER_FORTRAN, MPI_DOUBLE, &view_);
        MPI_Type_commit(&view_);
    }
    ~MpiIo() override { MPI_Type_free(&view_); }
    MpiIo(MpiIo const&) = delete;
    MpiIo& operator=(MpiIo const&) = delete;

    Taken write(std::string const& path, std::span<double> data) override {
        open(path, MPI_MODE_CREATE | MPI_MODE_WRONLY);
        MPI_Status status;
        auto const count = static_cast<int>(data.size());
        check_mpi(MPI_File_write_all(file_, data.data(), count, MPI_DOUBLE, &status), "cannot write through MPI-IO");
        expect_all(status, count);
        check_mpi(MPI_File_sync(file_), "cannot sync through MPI-IO");
        check_mpi(MPI_File_close(&file_), "cannot close through MPI-IO");
        return {};
    }

    Taken read(std::string const& path, std::span<double> data) override {
        open(path, MPI_MODE_RDONLY);
        MPI_Status status;
        auto const count = static_cast<int>(data.size());
        check_mpi(MPI_File_read_all(file_, data.data(), count, MPI_DOUBLE, &status), "cannot read through MPI-IO");
        expect_all(status, count);
        check_mpi(MPI_File_close(&file_), "cannot close through MPI-IO");
        return {};
    }

  private:
    void open(std::string const& path, int mode) {
        check_mpi(MPI_File_open(block_.comm.handle(), path.c_str(), mode, info_.get(), &file_),
                  "cannot open through MPI-IO");
        check_mpi(MPI_File_set_view(file_, 0, MPI_DOUBLE, view_, "native", MPI_INFO_NULL), "cannot set a view");
    }

    static void expect_all(MPI_Status const& status, int count) {
        int moved = 0;
        MPI_Get_count(&status, MPI_DOUBLE, &moved);
        validate(moved == count, "MPI-IO moved less than it was asked to", "it reports no error", "");
    }

    Block const& block_;
    MpiInfo info_;
    MPI_Datatype view_ = MPI_DATATYPE_NULL;
    MPI_File file_ = MPI_FILE_NULL;
};

auto mpi_io(std::string const& implementation, Hints const& hints = {}) {
    return [=](Block const& block) { return std::make_unique<MpiIo>(block, implementation, hints); };
}

Enter const ompio({.name = "ompio",
                   .summary = "MPI_File_write_all, OMPIO as it is",
                   .role = "default",
                   .mpi_io = "ompio",
                   .make = mpi_io("ompio")});
Enter const ompio_tuned({.name = "ompio-tuned",
                         .summary = "the same by its two_phase, an aggregator a core, rounds of 4 MiB",
                         .role = "public",
                         .mpi_io = "ompio",
                         .environment = {{"OMPI_MCA_fcoll", "two_phase"},
                                         {"OMPI_MCA_io_ompio_num_aggregators", aggregators()},
                                         {"OMPI_MCA_io_ompio_bytes_per_agg", "4194304"}},
                         .make = mpi_io("ompio")});
Enter const romio({.name = "romio",
                   .summary = "MPI_File_write_all, ROMIO as it is",
                   .role = "public",
                   .mpi_io = "romio",
                   .make = mpi_io("romio")});
Enter const romio_tuned({.name = "romio-tuned",
                         .summary = "the same, an aggregator a core, rounds of 2 MiB",
                         .role = "public",
                         .mpi_io = "romio",
                         .make = mpi_io("romio", tuned_romio())});
Enter const romio_sieving({.name = "romio-sieving",
                           .summary = "the same without two-phase: each rank its own pieces, by data sieving",
                           .role = "public",
                           .mpi_io = "romio",
                           .make = mpi_io("romio", sieving_romio())});

}  // namespace
}  // namespace weir::performance
