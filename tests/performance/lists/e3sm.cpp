#include "lists/e3sm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/error.hpp"

#ifdef WEIR_HAVE_PNETCDF

#include <pnetcdf.h>

namespace weir::performance {
namespace {

/// An open file of which one decomposition is read.
class File {
  public:
    File(Communicator const& comm, std::string const& path, int which) : which_(which) {
        checked(ncmpi_open(comm.handle(), path.c_str(), NC_NOWRITE, MPI_INFO_NULL, &file_));
    }
    File(File const&) = delete;
    File& operator=(File const&) = delete;
    ~File() { ncmpi_close(file_); }

    /// The product of the array's dimensions.
    [[nodiscard]] std::int64_t elements() const {
        auto const name = named("dims");
        MPI_Offset dims = 0;
        checked(ncmpi_inq_attlen(file_, NC_GLOBAL, name.c_str(), &dims));
        std::vector<int> shape(static_cast<std::size_t>(dims));
        checked(ncmpi_get_att_int(file_, NC_GLOBAL, name.c_str(), shape.data()));
        return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies());
    }

    [[nodiscard]] std::vector<long long> numbers(char const* what) const {
        int variable = 0;
        int dim = 0;
        MPI_Offset count = 0;
        checked(ncmpi_inq_varid(file_, named(what).c_str(), &variable));
        checked(ncmpi_inq_vardimid(file_, variable, &dim));
        checked(ncmpi_inq_dimlen(file_, dim, &count));
        std::vector<long long> all(static_cast<std::size_t>(count));
        checked(ncmpi_get_var_longlong_all(file_, variable, all.data()));
        return all;
    }

  private:
    [[nodiscard]] std::string named(char const* what) const { return fmt::format("D{}.{}", which_, what); }
    void checked(int status) const {
        if (status != NC_NOERR) {
            throw Error({"the decomposition cannot be read", ncmpi_strerror(status), ""});
        }
    }
    int which_;
    int file_ = 0;
};

}  // namespace

Decomposition e3sm_decomposition(Communicator const& comm, std::string const& path, int which) {
    File const file(comm, path, which);
    auto const pieces = file.numbers("nreqs");
    auto const offsets = file.numbers("offsets");
    auto const lengths = file.numbers("lengths");
    auto const begin = [&](std::uint64_t rank) {
        auto const first = static_cast<std::ptrdiff_t>(pieces.size() * rank / comm.size());
        return std::accumulate(pieces.begin(), pieces.begin() + first, std::ptrdiff_t{0});
    };
    auto const from = begin(comm.rank());
    auto const to = begin(comm.rank() + 1);
    std::vector<std::pair<std::int64_t, std::int64_t>> mine;
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
        mine.emplace_back(offsets[i], lengths[i]);
    }
    std::sort(mine.begin(), mine.end());  // a view of MPI-IO must be in the file's order
    Decomposition sorted;
    sorted.elements = file.elements();
    for (auto const& [offset, length] : mine) {
        sorted.offsets.push_back(offset);
        sorted.lengths.push_back(length);
    }
    return sorted;
}

}  // namespace weir::performance

#else

namespace weir::performance {

Decomposition e3sm_decomposition(Communicator const&, std::string const&, int) {
    throw Error({"the decomposition cannot be read", "this build lacks PnetCDF", "Install libpnetcdf-dev."});
}

}  // namespace weir::performance

#endif
