// The two-phase library (weir/array.h): ranks exchange the data of collective requests, so that a few aggregators make
// a few large requests.

#include <algorithm>
#include <list>

#include "storage/backends/twophase/twophase_file.hpp"

namespace weir {
namespace {

class TwophaseBackend final : public Backend {
  public:
    static constexpr std::string_view name = "twophase";
    static constexpr std::string_view summary =
        "the two-phase library: collective requests through an exchange among ranks, independent ones as posix";
    static constexpr Features features{.stores = true, .collective = true, .hints = false, .pieces = true};

    void declare(OptionSet& options) override {
        plan_.declare_method(options);
        // Unlike the library, where a group of 0 ranks is an error: a study must be able to name the default.
        options.add("group", plan_.group, "ranks of a group, for method = grouped; 0: those of a node");
        plan_.declare_aggregators(options);
    }

    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t) const override {
        auto const choice = choose({}, plan_);
        return choice.slots * choice.window;
    }

    std::unique_ptr<OpenFile> open(OpenRequest const& request) override {
        bool const collective = request.collective && request.comm.size() > 1;
        return std::make_unique<TwophaseFile>(request, plan_, collective ? &plans_for(request.comm) : nullptr);
    }

  private:
    /// Collective.
    ArrayPlans& plans_for(Communicator const& ranks) {
        auto const found = std::ranges::find_if(plans_, [&](ArrayPlans const& plans) { return plans.serves(ranks); });
        return found != plans_.end() ? *found : plans_.emplace_back(ranks, plan_);
    }

    array::PlanOptions plan_;
    std::list<ArrayPlans> plans_;  ///< for each set of ranks that opens files together
};

RegisterBackend<TwophaseBackend> const registration;

}  // namespace
}  // namespace weir
