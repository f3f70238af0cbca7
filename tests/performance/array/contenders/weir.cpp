// Ours: the two-phase library by its C interface, with a plan that is made once.

#include <weir/array.h>

#include <algorithm>
#include <cstdlib>

#include "array/contender.hpp"
#include "core/error.hpp"

namespace weir::performance {
namespace {

void checked(int code, weir_error const& error) {
    if (code != WEIR_OK) {
        throw Error({error.message, weir_code_text(code), ""});
    }
}

class Weir final : public Contender {
  public:
    Weir(Block const& block, std::string const& options, std::uint64_t bound) : bound_(bound) {
        auto const shape = as<std::int64_t>({block.edge, block.edge, block.edge});
        auto const grid = as<std::int64_t>(block.grid);
        weir_array* array = nullptr;
        weir_error error{};
        checked(weir_array_block(3, shape.data(), grid.data(), sizeof(double), WEIR_FORTRAN_ORDER, &array, &error),
                error);
        auto const code = weir_plan_make(block.comm.handle(), 1, &array, options.c_str(), &plan_, &error);
        weir_array_free(array);
        checked(code, error);
    }
    ~Weir() override { weir_plan_free(plan_); }
    Weir(Weir const&) = delete;
    Weir& operator=(Weir const&) = delete;

    Taken write(std::string const& path, std::span<double> data) override {
        weir_error error{};
        void* const buffer = data.data();
        checked(weir_write(plan_, path.c_str(), 0, &buffer, &error), error);
        return steps();
    }

    Taken read(std::string const& path, std::span<double> data) override {
        weir_error error{};
        void* const buffer = data.data();
        checked(weir_read(plan_, path.c_str(), 0, &buffer, &error), error);
        return steps();
    }

    [[nodiscard]] std::uint64_t memory_bound_bytes() const override { return aggregates_ ? bound_ : 0; }

  private:
    /// What the library says that it spent; `other` is what is in none of its steps.
    Taken steps() {
        weir_times times{};
        weir_plan_times(plan_, &times);
        aggregates_ = aggregates_ || times.rounds > 0;
        auto const known = times.open + times.exchange + times.wait + times.storage + times.sync + times.checksum;
        return {{{"total", times.total},
                 {"open", times.open},
                 {"exchange", times.exchange},
                 {"wait", times.wait},
                 {"storage", times.storage},
                 {"sync", times.sync},
                 {"checksum", times.checksum},
                 {"other", times.total - known}}};
    }

    weir_plan* plan_ = nullptr;
    std::uint64_t bound_;
    bool aggregates_ = false;
};

Enter const weir({.name = "weir",
                  .summary = "weir_write, all chosen by its planner",
                  .role = "ours",
                  .mpi_io = "",
                  .make = [](Block const& block) { return std::make_unique<Weir>(block, "", 0); }});

/// By one route within a node, whatever the planner would take: for scripts/bench exchange.
Enter const weir_shared({.name = "weir-shared",
                         .summary = "the same, told to exchange through shared memory",
                         .role = "variant",
                         .mpi_io = "",
                         .make = [](Block const& block) {
                             return std::make_unique<Weir>(block, "exchange=shared_memory", 0);
                         }});
Enter const weir_messages({.name = "weir-messages",
                           .summary = "the same, told to exchange by messages",
                           .role = "variant",
                           .mpi_io = "",
                           .make = [](Block const& block) {
                               return std::make_unique<Weir>(block, "exchange=messages", 0);
                           }});

/// Another build of the library, such as the last release's, from the folder that this variable names. It is loaded in
/// the place of this one: the interface has not changed.
std::string other_library() {
    auto const* const folder = std::getenv("WEIR_ARRAY_BESIDE");
    return folder == nullptr ? "" : folder;
}
Enter const weir_beside({.name = "weir-beside",
                         .summary = "the library in WEIR_ARRAY_BESIDE, all chosen by its planner",
                         .role = other_library().empty() ? "absent" : "variant",
                         .mpi_io = "",
                         .environment = {{"LD_LIBRARY_PATH", other_library()}},
                         .make = [](Block const& block) { return std::make_unique<Weir>(block, "", 0); }});

/// So much less than a rank's part, and than the library would take, that the bound costs rounds; but more than a plan
/// needs in any case.
std::unique_ptr<Contender> with_little_memory(Block const& block) {
    auto const part = block.elements_of_file() * sizeof(double) / block.comm.size();
    auto const bytes = std::clamp<std::uint64_t>(part / 8, 64 << 10, 4 << 20);
    return std::make_unique<Weir>(block, "memory=" + std::to_string(bytes) + "B", bytes);
}
Enter const weir_bounded(
    {.name = "weir-bounded",
     .summary = "the same, told to hold at most an eighth of a rank's part an aggregator, and 4 MiB",
     .role = "bounded",
     .mpi_io = "",
     .make = with_little_memory});

}  // namespace
}  // namespace weir::performance
