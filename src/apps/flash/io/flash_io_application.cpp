// The benchmark `flash-io`. Work model: the bytes of the pattern; a file's bandwidth = its bytes / the time from its
// creation to its close, of the slowest rank.

#include <fmt/format.h>

#include "apps/common/run/application_job.hpp"
#include "apps/flash/io/flash_io_program.hpp"
#include "core/error.hpp"

namespace weir::flash {
namespace {

constexpr std::uint64_t largest_side = 256;
constexpr std::uint64_t most_blocks = 1'000'000;

class FlashIo final : public Application {
  public:
    static constexpr std::string_view name = "flash-io";
    static constexpr std::string_view summary =
        "the FLASH-IO benchmark: a checkpoint and two plot files of block-structured AMR";

    void declare(OptionSet& options) override {
        options.group("blocks");
        options.add("block", side_, "cells along each side of a block, even; the benchmark has 8, 16 or 32",
                    {std::uint64_t{2}, largest_side});
        options.words("block", {{"*", "{}³ cells a block"}});
        options.add("blocks", blocks_, "blocks of rank 0; rank r has r mod 3 more; 0: 80 of 8 cells a side, else 160",
                    {std::uint64_t{0}, most_blocks});
        options.words("blocks", {{"0", "the usual blocks"}, {"*", "{} blocks a rank"}});
        options.add("memory", order_,
                    "unknowns in memory: interleaved, as in FLASH, or separate; packing takes them out of it");
        options.add(
            "pack", pack_,
            "unknowns get out of memory by a copy before they are written, or by the library (HDF5), from where "
            "they are in memory; corners are computed, and always copied");
        options.add("values", values_,
                    "unknown number i is i, as in the benchmark, or random: then compression cannot shrink files");
        options.group("files");
        options.add("datasets", datasets_, "unknowns in separate datasets, as in FLASH, or all in one");
        options.add("tree_collective", tree_together_,
                    "write the arrays of the tree collectively too, as compression needs it; the benchmark does not");
        options.add("sync", sync_, "sync each file before it is closed; the benchmark does not");
        options.words("sync", {{"true", "synced"}, {"false", "not synced"}});
    }

    void validate_choices(std::uint64_t /*ranks*/, bool /*whole_planes*/) const override {
        validate(side_ % 2 == 0, fmt::format("block = {} is odd", side_),
                 "blocks of AMR are refined by two, so their sides have an even number of cells", "Take an even one.");
        validate(pack_ == Packing::copy || datasets_ == UnknownDatasets::separate,
                 "pack = library contradicts datasets = one",
                 "HDF5 takes numbers in the order in which they are in memory, which has another one",
                 "Choose datasets = separate, or pack = copy.");
    }

    void validate_backend(BackendKind const& kind) const override {
        validate(pack_ == Packing::copy || kind.features().strided,
                 fmt::format("pack = library contradicts backend = {}", kind.name()), "it takes only packed data",
                 "Choose backend = hdf5, or pack = copy.");
    }

    [[nodiscard]] UsualRun usual() const override { return {1, 1, DumpMethod::automatic, "hdf5"}; }

    [[nodiscard]] DumpPlan plan(std::uint64_t ranks, std::string const& backend) const override {
        auto files = shape();
        files.netcdf = backend == "pnetcdf";
        return plan_of(files, ranks, "flash_io_test_" + format_in_names(backend));
    }

    /// Of the rank with the most blocks.
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t ranks) const override {
        return Unknowns::bytes(blocks_of(shape(), std::min<std::uint64_t>(ranks, 3) - 1), side_);
    }

    [[nodiscard]] std::unique_ptr<Program> start(Communicator const& comm, bool /*goes_on*/) const override {
        return std::make_unique<FlashIoProgram>(comm, shape(), order_, values_, pack_);
    }

  private:
    [[nodiscard]] IoShape shape() const {
        constexpr std::uint64_t small = 8;
        auto const usual = side_ <= small ? 80U : 160U;
        return {.side = side_,
                .blocks = blocks_ > 0 ? blocks_ : usual,
                .datasets = datasets_,
                .sync = sync_,
                .tree_together = tree_together_};
    }

    std::uint64_t side_ = 8;
    std::uint64_t blocks_ = 0;
    MemoryOrder order_ = MemoryOrder::interleaved;
    UnknownValues values_ = UnknownValues::number;
    Packing pack_ = Packing::copy;
    UnknownDatasets datasets_ = UnknownDatasets::separate;
    bool sync_ = false;
    bool tree_together_ = false;
};

RegisterApplication<FlashIo> const registration;

}  // namespace
}  // namespace weir::flash
