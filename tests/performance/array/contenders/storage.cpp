// Storage alone: each rank moves a contiguous part of the file, which it already has, and syncs. Nothing is exchanged,
// so that no way of writing the array by as large requests is quicker; and it works on any number of nodes.

#include <algorithm>
#include <vector>

#include "array/contender.hpp"
#include "array/part_of_file.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"

namespace weir::performance {
namespace {

class StorageAlone final : public Contender {
  public:
    explicit StorageAlone(Block const& block) : block_(block), part_(block), held_(part_.count) {
        for (std::uint64_t i = 0; i < part_.count; ++i) {
            held_[i] = value_at(part_.begin + i);
        }
    }

    Taken write(std::string const& path, std::span<double> /*data*/) override {
        return timed([&] { part_.store(path, held_.data()); });
    }

    /// What is read is another part than this rank's block, which is as it was filled.
    Taken read(std::string const& path, std::span<double> data) override {
        std::ranges::fill(held_, 0.0);
        auto const taken = timed([&] { part_.load(path, held_.data()); });
        for (std::uint64_t i = 0; i < part_.count; ++i) {
            validate(held_[i] == value_at(part_.begin + i), "the file is not the array", path, "");
        }
        fill(block_, data);
        return taken;
    }

  private:
    template <class Work>
    Taken timed(Work work) {
        block_.comm.barrier();
        auto const began = clock_.now_s();
        work();
        auto const took = clock_.now_s() - began;
        return {.steps_s = {{"storage", took}}, .total_s = took};
    }

    Block const& block_;
    PartOfFile part_;
    MonotonicClock clock_;
    std::vector<double> held_;
};

Enter const storage({.name = "storage",
                     .summary = "one contiguous part a rank, one write and sync: storage alone, nothing exchanged",
                     .role = "storage",
                     .mpi_io = "",
                     .make = [](Block const& block) { return std::make_unique<StorageAlone>(block); }});

}  // namespace
}  // namespace weir::performance
