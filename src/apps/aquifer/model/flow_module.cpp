#include "apps/aquifer/model/flow_module.hpp"

#include "apps/common/module.hpp"
#include "core/error.hpp"

namespace weir::aquifer {
namespace {

/// Not a static object of the file: the flow's is initialised before or after it.
FlowMaker& offered() {
    static FlowMaker maker = nullptr;
    return maker;
}

}  // namespace

void offer_flow(FlowMaker maker) { offered() = maker; }

FlowMaker need_flow() {
    if (offered() != nullptr) {
        return offered();
    }
    auto const failed = load_module(WEIR_FLOW_MODULE, "PETSc", [] { return offered() != nullptr; });
    if (failed) {
        throw Error({"the groundwater's flow cannot be computed", *failed,
                     "Install PETSc for the same MPI (Debian: libpetsc-real-dev) and build Weir again, or choose the "
                     "analytic model.",
                     ExitCode::cannot_run});
    }
    return offered();
}

}  // namespace weir::aquifer
