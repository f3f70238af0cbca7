#include "apps/cmb/model/linear.hpp"

#include <cstdlib>
#include <string>

#include "apps/common/module.hpp"
#include "core/error.hpp"

namespace weir::cmb {
namespace {

/// Not a static object of the file: the module's is initialised before or after it.
LinearMaker& offered() {
    static LinearMaker maker = nullptr;
    return maker;
}

}  // namespace

void offer_linear(LinearMaker maker) { offered() = maker; }

LinearMaker need_linear() {
    if (offered() != nullptr) {
        return offered();
    }
    // OpenBLAS starts its threads as it is loaded, and as many as the machine has cores unless it is told.
    setenv("OPENBLAS_NUM_THREADS", "1", 0);  // NOLINT(concurrency-mt-unsafe)
    auto const failed = load_module(WEIR_CMB_MODULE, "ScaLAPACK", [] { return offered() != nullptr; });
    if (failed) {
        throw Error({"the matrices cannot be computed", *failed,
                     "Install ScaLAPACK for the same MPI (Debian: libscalapack-openmpi-dev) and build Weir again, or "
                     "choose mode = io.",
                     ExitCode::cannot_run});
    }
    return offered();
}

}  // namespace weir::cmb
