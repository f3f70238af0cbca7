#include "lists/dumper.hpp"

#ifdef WEIR_HAVE_PNETCDF

#include <pnetcdf.h>

#include <bit>

#include "array/contender.hpp"
#include "array/tuned.hpp"
#include "core/error.hpp"
#include "storage/hints.hpp"

namespace weir::performance {
namespace {

void checked(int status, char const* what) {
    if (status != NC_NOERR) {
        throw Error({what, ncmpi_strerror(status), ""});
    }
}

enum class Calls { a_variable, together };

class Pnetcdf final : public Dumper {
  public:
    Pnetcdf(Variables const& of, Calls calls) : of_(of), calls_(calls), info_(tuned_romio()) {
        refuse_other_mpi_io("romio");
        for (std::size_t i = 0; i < of.list.offsets.size(); ++i) {
            places_.push_back(of.list.offsets[i]);
            counts_.push_back(of.list.lengths[i]);
        }
        for (std::size_t i = 0; i < places_.size(); ++i) {
            place_.push_back(&places_[i]);
            count_.push_back(&counts_[i]);
        }
    }

    void write(std::string const& path, std::span<double> data) override {
        int file = 0;
        checked(ncmpi_create(of_.comm.handle(), path.c_str(), NC_CLOBBER | NC_64BIT_DATA, info_.get(), &file),
                "cannot create");
        checked(ncmpi_set_fill(file, NC_NOFILL, nullptr), "cannot leave out filling");
        int dim = 0;
        checked(ncmpi_def_dim(file, "elements", of_.list.elements, &dim), "cannot define");
        for (int v = 0; v < of_.count; ++v) {
            int variable = 0;
            checked(ncmpi_def_var(file, ("v" + std::to_string(v)).c_str(), NC_DOUBLE, 1, &dim, &variable),
                    "cannot define");
        }
        checked(ncmpi_enddef(file), "cannot define");
        move(file, data, ncmpi_put_varn_double_all, ncmpi_iput_varn_double);
        checked(ncmpi_sync(file), "cannot sync");
        checked(ncmpi_close(file), "cannot close");
    }

    void read(std::string const& path, std::span<double> data) override {
        auto const file = opened(path);
        move(file, data, ncmpi_get_varn_double_all, ncmpi_iget_varn_double);
        checked(ncmpi_close(file), "cannot close");
    }

    FilePlace place(std::string const& path) override {
        auto const file = opened(path);
        MPI_Offset offset = 0;
        checked(ncmpi_inq_varoffset(file, 0, &offset), "cannot find the variable");
        checked(ncmpi_close(file), "cannot close");
        return {static_cast<std::uint64_t>(offset), std::endian::native == std::endian::little};
    }

  private:
    template <class All, class Start>
    void move(int file, std::span<double> data, All all, Start start) {
        auto const pieces = static_cast<int>(places_.size());
        for (int v = 0; v < of_.count; ++v) {
            auto* const values = data.data() + static_cast<std::size_t>(v) * of_.held();
            auto const status = calls_ == Calls::together
                                    ? start(file, v, pieces, place_.data(), count_.data(), values, nullptr)
                                    : all(file, v, pieces, place_.data(), count_.data(), values);
            checked(status, "cannot move data");
        }
        if (calls_ == Calls::together) {
            checked(ncmpi_wait_all(file, NC_REQ_ALL, nullptr, nullptr), "cannot move data");
        }
    }

    int opened(std::string const& path) {
        int file = 0;
        checked(ncmpi_open(of_.comm.handle(), path.c_str(), NC_NOWRITE, info_.get(), &file), "cannot open");
        return file;
    }

    Variables const& of_;
    Calls calls_;
    MpiInfo info_;
    std::vector<MPI_Offset> places_, counts_;
    std::vector<MPI_Offset*> place_, count_;  // of each piece, as varn takes them
};

}  // namespace

std::vector<NamedDumper> pnetcdf_dumpers(Variables const& of) {
    std::vector<NamedDumper> all;
    all.push_back({"pnetcdf", "ncmpi_put_varn_double_all, a call a variable, CDF-5, over ROMIO tuned as romio-tuned",
                   std::make_unique<Pnetcdf>(of, Calls::a_variable)});
    all.push_back({"pnetcdf-iput", "the same by ncmpi_iput_varn_double and one ncmpi_wait_all",
                   std::make_unique<Pnetcdf>(of, Calls::together)});
    return all;
}

}  // namespace weir::performance

#else

namespace weir::performance {

std::vector<NamedDumper> pnetcdf_dumpers(Variables const&) { return {}; }

}  // namespace weir::performance

#endif
