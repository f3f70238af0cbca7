// The bound: three steps that any way of writing the array in global order has, each as quick as this machine does it,
// one after the other. Ranks pack their blocks; store the pieces where their owners need them, in memory that the node
// shares; and each writes its contiguous part of the file by one request, and syncs. Its time is the sum of the steps,
// each as long as its slowest rank takes.

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "array/contender.hpp"
#include "array/part_of_file.hpp"
#include "comm/collective_error.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"

namespace weir::performance {
namespace {

class Bound final : public Contender {
  public:
    explicit Bound(Block const& block) : block_(block), packed_(block.elements() * sizeof(double)), part_(block) {
        validate(block.comm.node().size() == block.comm.size(), "the bound is of one node", "its memory is shared", "");
        double* memory = nullptr;
        check_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(part_.count * sizeof(double)), sizeof(double),
                                          MPI_INFO_NULL, block.comm.handle(), &memory, &window_),
                  "cannot share memory");
        std::fill_n(memory, part_.count, 0.0);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
        for (int rank = 0; rank < static_cast<int>(block.comm.size()); ++rank) {
            MPI_Aint bytes = 0;
            int unit = 0;
            double* at = nullptr;
            MPI_Win_shared_query(window_, rank, &bytes, &unit, &at);
            parts_.push_back(at);
        }
    }
    ~Bound() override {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }
    Bound(Bound const&) = delete;
    Bound& operator=(Bound const&) = delete;

    Taken write(std::string const& path, std::span<double> data) override {
        auto* const packed = memory();
        Taken taken;
        step(taken, "pack", [&] {
            block_.each_run([&](std::uint64_t, std::uint64_t at, std::uint64_t length) {
                std::memcpy(packed + at, data.data() + at, length * sizeof(double));
            });
        });
        step(taken, "exchange", [&] {
            each_piece([&](double* there, std::uint64_t at, std::uint64_t length) {
                std::memcpy(there, packed + at, length * sizeof(double));
            });
        });
        step(taken, "storage", [&] { part_.store(path, parts_[block_.comm.rank()]); });
        return taken;
    }

    Taken read(std::string const& path, std::span<double> data) override {
        auto* const packed = memory();
        Taken taken;
        step(taken, "storage", [&] { part_.load(path, parts_[block_.comm.rank()]); });
        step(taken, "exchange", [&] {
            each_piece([&](double const* there, std::uint64_t at, std::uint64_t length) {
                std::memcpy(packed + at, there, length * sizeof(double));
            });
        });
        step(taken, "unpack", [&] {
            block_.each_run([&](std::uint64_t, std::uint64_t at, std::uint64_t length) {
                std::memcpy(data.data() + at, packed + at, length * sizeof(double));
            });
        });
        return taken;
    }

  private:
    double* memory() { return reinterpret_cast<double*>(packed_.bytes().data()); }

    /// All ranks begin together; the step has taken as long as the slowest of them.
    template <class Work>
    void step(Taken& taken, char const* name, Work work) {
        MPI_Win_sync(window_);
        block_.comm.barrier();
        MPI_Win_sync(window_);
        auto const began = clock_.now_s();
        run_together(block_.comm, [&] { work(); });
        auto const took = block_.comm.max(clock_.now_s() - began);
        taken.steps_s[name] = took;
        taken.total_s = taken.total_s.value_or(0) + took;
    }

    /// visit(place in shared memory, place in memory, length) for each piece of this rank's runs that has one owner.
    template <class Visit>
    void each_piece(Visit visit) {
        block_.each_run([&](std::uint64_t in_file, std::uint64_t in_memory, std::uint64_t length) {
            while (length > 0) {
                auto const owner = in_file / part_.share;
                auto const within = in_file - owner * part_.share;
                auto const piece = std::min(length, part_.share - within);
                visit(parts_[owner] + within, in_memory, piece);
                in_file += piece;
                in_memory += piece;
                length -= piece;
            }
        });
    }

    Block const& block_;
    MonotonicClock clock_;
    Buffer packed_;
    PartOfFile part_;
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<double*> parts_;  ///< in shared memory, by owner
};

Enter const bound({.name = "bound",
                   .summary = "pack, exchange through shared memory, one write and sync a rank: their sum",
                   .role = "bound",
                   .mpi_io = "",
                   .make = [](Block const& block) { return std::make_unique<Bound>(block); }});

}  // namespace
}  // namespace weir::performance
