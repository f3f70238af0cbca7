// A variable of a CDF-5 file, written and read collectively; nothing fills it. The format is big-endian, so that it
// also turns the bytes of each number round on most machines.

#include <pnetcdf.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <string>

#include "array/contender.hpp"
#include "array/tuned.hpp"
#include "core/error.hpp"
#include "storage/hints.hpp"

namespace weir::performance {
namespace {

using Extents = std::array<MPI_Offset, 3>;

void checked(int status, char const* what) {
    if (status != NC_NOERR) {
        throw Error({what, ncmpi_strerror(status), ""});
    }
}

class Pnetcdf final : public Contender {
  public:
    Pnetcdf(Block const& block, Hints const& hints)
        : block_(block),
          info_(hints),
          start_(reversed<MPI_Offset>(block.start)),
          count_(reversed<MPI_Offset>(block.count)) {
        refuse_other_mpi_io("romio");
    }

    Taken write(std::string const& path, std::span<double> data) override {
        int file = 0;
        checked(ncmpi_create(block_.comm.handle(), path.c_str(), NC_CLOBBER | NC_64BIT_DATA, info_.get(), &file),
                "cannot create");
        checked(ncmpi_set_fill(file, NC_NOFILL, nullptr), "cannot leave out filling");
        std::array<int, 3> dims{};
        for (std::size_t d = 0; d < dims.size(); ++d) {
            auto const length = static_cast<MPI_Offset>(block_.edge);
            checked(ncmpi_def_dim(file, std::string(1, "zyx"[d]).c_str(), length, &dims[d]), "cannot define");
        }
        int variable = 0;
        checked(ncmpi_def_var(file, "array", NC_DOUBLE, 3, dims.data(), &variable), "cannot define");
        checked(ncmpi_enddef(file), "cannot define");
        checked(ncmpi_put_vara_double_all(file, variable, start_.data(), count_.data(), data.data()), "cannot write");
        checked(ncmpi_sync(file), "cannot sync");
        checked(ncmpi_close(file), "cannot close");
        return {};
    }

    Taken read(std::string const& path, std::span<double> data) override {
        auto const file = opened(path);
        int variable = 0;
        checked(ncmpi_inq_varid(file, "array", &variable), "cannot find the variable");
        checked(ncmpi_get_vara_double_all(file, variable, start_.data(), count_.data(), data.data()), "cannot read");
        checked(ncmpi_close(file), "cannot close");
        return {};
    }

    FilePlace place(std::string const& path) override {
        auto const file = opened(path);
        int variable = 0;
        MPI_Offset offset = 0;
        checked(ncmpi_inq_varid(file, "array", &variable), "cannot find the variable");
        checked(ncmpi_inq_varoffset(file, variable, &offset), "cannot find the variable");
        checked(ncmpi_close(file), "cannot close");
        return {static_cast<std::uint64_t>(offset), std::endian::native == std::endian::little};
    }

  private:
    int opened(std::string const& path) {
        int file = 0;
        checked(ncmpi_open(block_.comm.handle(), path.c_str(), NC_NOWRITE, info_.get(), &file), "cannot open");
        return file;
    }

    Block const& block_;
    MpiInfo info_;
    Extents start_;
    Extents count_;
};

Enter const pnetcdf({.name = "pnetcdf",
                     .summary = "ncmpi_put_vara_double_all, CDF-5, over ROMIO tuned as romio-tuned",
                     .role = "public",
                     .mpi_io = "romio",
                     .make = [](Block const& block) { return std::make_unique<Pnetcdf>(block, tuned_romio()); }});

/// Another version of the library, such as 1.15 with its own driver, from the folder that this variable names, in which
/// it goes by the name that this program asks for. It is told nothing.
std::string other_library() {
    auto const* const folder = std::getenv("PNETCDF_BESIDE");
    return folder == nullptr ? "" : folder;
}
Enter const pnetcdf_beside({.name = "pnetcdf-beside",
                            .summary = "ncmpi_put_vara_double_all, CDF-5, of the library in PNETCDF_BESIDE, as it is",
                            .role = other_library().empty() ? "absent" : "public",
                            .mpi_io = "romio",
                            .environment = {{"LD_LIBRARY_PATH", other_library()}},
                            .make = [](Block const& block) { return std::make_unique<Pnetcdf>(block, Hints{}); }});

}  // namespace
}  // namespace weir::performance
