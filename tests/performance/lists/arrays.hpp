#pragma once

#include <memory>
#include <vector>

#include "lists/decomposition.hpp"
#include "weir/array.h"

namespace weir::performance {

/// Throws Error if a call of the library failed.
void checked(int code, weir_error const& error);

struct FreePlan {
    void operator()(weir_plan* plan) const { weir_plan_free(plan); }
};
using PlanHandle = std::unique_ptr<weir_plan, FreePlan>;

/// How a program describes arrays that have one list: each by itself, or one that is given several times.
enum class Described { each, once };

/// Arrays of doubles with one list.
class SameLists {
  public:
    SameLists(Decomposition const& list, int arrays, Described how);
    SameLists(SameLists const&) = delete;
    SameLists& operator=(SameLists const&) = delete;
    ~SameLists();

    /// Collective.
    [[nodiscard]] PlanHandle planned(Communicator const& comm) const;

  private:
    std::vector<weir_array*> arrays_;
    std::size_t described_;
};

}  // namespace weir::performance
