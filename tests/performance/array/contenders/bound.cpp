// The bound: three steps that any way of writing the array in global order has, each as quick as this machine does it,
// one after the other. Ranks pack their blocks; store the pieces where their owners need them, in memory that the node
// shares; and each writes its contiguous part of the file by one request, and syncs. Its time is the sum of the steps,
// each as long as its slowest rank takes.

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "array/contender.hpp"
#include "comm/collective_error.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"

namespace weir::performance {
namespace {

class Bound final : public Contender {
  public:
    explicit Bound(Block const& block) : block_(block), packed_(block.elements() * sizeof(double)) {
        validate(block.comm.node().size() == block.comm.size(), "the bound is of one node", "its memory is shared", "");
        auto const even = block.elements_of_file() / block.comm.size() + 1;
        share_ = (even + elements_of_page - 1) / elements_of_page * elements_of_page;
        auto const begin = std::min(block.comm.rank() * share_, block.elements_of_file());
        mine_ = std::min(begin + share_, block.elements_of_file()) - begin;
        double* memory = nullptr;
        check_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(mine_ * sizeof(double)), sizeof(double), MPI_INFO_NULL,
                                          block.comm.handle(), &memory, &window_),
                  "cannot share memory");
        std::fill_n(memory, mine_, 0.0);
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
        step(taken, "storage", [&] { store(path); });
        return taken;
    }

    Taken read(std::string const& path, std::span<double> data) override {
        auto* const packed = memory();
        Taken taken;
        step(taken, "storage", [&] { load(path); });
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
    static constexpr std::uint64_t elements_of_page = 4096 / sizeof(double);

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
                auto const owner = in_file / share_;
                auto const within = in_file - owner * share_;
                auto const piece = std::min(length, share_ - within);
                visit(parts_[owner] + within, in_memory, piece);
                in_file += piece;
                in_memory += piece;
                length -= piece;
            }
        });
    }

    void store(std::string const& path) {
        auto const file = opened(path, O_WRONLY | O_CREAT);
        all_bytes([&](void* from, std::size_t bytes, off_t at) { return pwrite(file, from, bytes, at); });
        auto const synced = fsync(file);
        close(file);
        validate(synced == 0, "cannot sync", path, "");
    }

    void load(std::string const& path) {
        auto const file = opened(path, O_RDONLY);
        all_bytes([&](void* to, std::size_t bytes, off_t at) { return pread(file, to, bytes, at); });
        close(file);
    }

    static int opened(std::string const& path, int flags) {
        auto const file = open(path.c_str(), flags | O_CLOEXEC, 0644);
        if (file < 0) {
            throw system_error("cannot open '" + path + "'", errno, "");
        }
        return file;
    }

    /// The kernel moves at most 2 GiB less a page a call.
    template <class Call>
    void all_bytes(Call call) {
        auto* const from = reinterpret_cast<char*>(parts_[block_.comm.rank()]);
        auto const bytes = mine_ * sizeof(double);
        auto const start = block_.comm.rank() * share_ * sizeof(double);
        for (std::size_t done = 0; done < bytes;) {
            auto const moved = call(from + done, bytes - done, static_cast<off_t>(start + done));
            if (moved <= 0) {
                throw system_error("cannot move a contiguous part of the file", errno, "");
            }
            done += static_cast<std::size_t>(moved);
        }
    }

    Block const& block_;
    MonotonicClock clock_;
    Buffer packed_;
    std::uint64_t share_ = 0;  ///< elements that each rank owns of the file, but the last
    std::uint64_t mine_ = 0;
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
