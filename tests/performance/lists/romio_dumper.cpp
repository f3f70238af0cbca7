#include <mpi.h>

#include "array/contender.hpp"
#include "array/tuned.hpp"
#include "core/error.hpp"
#include "lists/dumper.hpp"
#include "storage/hints.hpp"

namespace weir::performance {
namespace {

enum class Calls { a_variable, one };

class Romio final : public Dumper {
  public:
    Romio(Variables const& of, Calls calls, Hints const& hints) : of_(of), calls_(calls), info_(hints) {
        refuse_other_mpi_io("romio");
        std::vector<MPI_Aint> places;
        std::vector<int> lengths;
        for (int v = 0; v < (calls == Calls::one ? of.count : 1); ++v) {
            for (std::size_t i = 0; i < of.list.offsets.size(); ++i) {
                places.push_back(v * of.bytes() + of.list.offsets[i] * static_cast<MPI_Aint>(sizeof(double)));
                lengths.push_back(static_cast<int>(of.list.lengths[i]));
            }
        }
        MPI_Type_create_hindexed(static_cast<int>(places.size()), lengths.data(), places.data(), MPI_DOUBLE, &view_);
        MPI_Type_commit(&view_);
    }
    ~Romio() override { MPI_Type_free(&view_); }
    Romio(Romio const&) = delete;
    Romio& operator=(Romio const&) = delete;

    void write(std::string const& path, std::span<double> data) override {
        open(path, MPI_MODE_CREATE | MPI_MODE_WRONLY);
        move(data, MPI_File_write_all);
        check_mpi(MPI_File_sync(file_), "cannot sync through MPI-IO");
        check_mpi(MPI_File_close(&file_), "cannot close through MPI-IO");
    }

    void read(std::string const& path, std::span<double> data) override {
        open(path, MPI_MODE_RDONLY);
        move(data, MPI_File_read_all);
        check_mpi(MPI_File_close(&file_), "cannot close through MPI-IO");
    }

  private:
    void open(std::string const& path, int mode) {
        check_mpi(MPI_File_open(of_.comm.handle(), path.c_str(), mode, info_.get(), &file_),
                  "cannot open through MPI-IO");
    }

    template <class Call>
    void move(std::span<double> data, Call call) {
        auto const calls = calls_ == Calls::one ? std::size_t{1} : static_cast<std::size_t>(of_.count);
        auto const each = data.size() / calls;
        for (std::size_t v = 0; v < calls; ++v) {
            check_mpi(MPI_File_set_view(file_, static_cast<MPI_Offset>(v) * of_.bytes(), MPI_DOUBLE, view_, "native",
                                        MPI_INFO_NULL),
                      "cannot set a view");
            check_mpi(call(file_, data.data() + v * each, static_cast<int>(each), MPI_DOUBLE, MPI_STATUS_IGNORE),
                      "cannot move data through MPI-IO");
        }
    }

    Variables const& of_;
    Calls calls_;
    MpiInfo info_;
    MPI_Datatype view_ = MPI_DATATYPE_NULL;
    MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace

std::vector<NamedDumper> romio_dumpers(Variables const& of) {
    std::vector<NamedDumper> all;
    all.push_back({"romio", "MPI_File_write_all through an indexed view, a call a variable, ROMIO as it is",
                   std::make_unique<Romio>(of, Calls::a_variable, Hints{})});
    all.push_back({"romio-tuned", "the same, an aggregator a core, rounds of 2 MiB",
                   std::make_unique<Romio>(of, Calls::a_variable, tuned_romio())});
    all.push_back({"romio-one-call", "the same, one call for all variables",
                   std::make_unique<Romio>(of, Calls::one, tuned_romio())});
    return all;
}

}  // namespace weir::performance
