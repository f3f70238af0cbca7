#include "apps/aquifer/model/flow_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace weir::aquifer {
namespace {

/// Not a static object of the file: the flow's is initialised before or after it.
FlowMaker& offered() {
    static FlowMaker maker = nullptr;
    return maker;
}

[[noreturn]] void refuse(std::string reason) {
    throw Error({"the groundwater's flow cannot be computed", std::move(reason),
                 "Install PETSc for the same MPI (Debian: libpetsc-real-dev) and build Weir again, or choose the "
                 "analytic model.",
                 ExitCode::cannot_run});
}

/// Beside the program's folder, as in the build and in an installation.
std::filesystem::path place_of_module() {
    std::error_code unknown;
    auto const program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    for (auto const* folder : {WEIR_INSTALLED_LIBRARIES, "../lib"}) {
        auto path = (program.parent_path() / folder / WEIR_FLOW_MODULE).lexically_normal();
        if (std::filesystem::exists(path, unknown)) {
            return path;
        }
    }
    refuse(fmt::format("there is no {} beside {}: it was built without PETSc", WEIR_FLOW_MODULE, program.string()));
}

}  // namespace

void offer_flow(FlowMaker maker) { offered() = maker; }

FlowMaker need_flow() {
    if (offered() != nullptr) {
        return offered();
    }
    auto const path = place_of_module();
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
        auto const* words = dlerror();
        refuse(words == nullptr ? path.string() + " cannot be loaded" : words);
    }
    if (offered() == nullptr) {
        refuse(path.string() + " is of another version of Weir");
    }
    return offered();
}

}  // namespace weir::aquifer
