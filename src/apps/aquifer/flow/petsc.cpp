#include "apps/aquifer/flow/petsc.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

#include "core/error.hpp"
#include "core/rank_progress.hpp"

namespace weir::aquifer {
namespace {

struct Session {
    Session() {
        need_mpi();                        // whose session is the elder, and so ends after this one
        PETSC_COMM_WORLD = MPI_COMM_SELF;  // so that starting is local: each object has a communicator of its own
        PetscOptionsSetValue(nullptr, "-no_signal_handler", "true");  // a closed pipe is an error of a write here
        // Not the options in a .petscrc of the current directory or of the home directory: they name libraries to load
        // and files to write, and what a run computes is in its own options.
        std::array<char*, 3> words{program.data(), no_options_file.data(), nullptr};
        auto count = static_cast<int>(words.size()) - 1;
        auto** arguments = words.data();
        PetscInitialize(&count, &arguments, nullptr, nullptr);
        PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);  // check_petsc() speaks
    }
    ~Session() {
        PetscBool ended = PETSC_FALSE;
        PetscFinalized(&ended);
        int mpi_ended = 0;
        MPI_Finalized(&mpi_ended);
        if (ended == PETSC_FALSE && mpi_ended == 0) {
            PetscFinalize();
        }
    }

    // PETSc keeps their addresses.
    std::string program = "weir-core";
    std::string no_options_file = "-skip_petscrc";
};

}  // namespace

void need_petsc() { static Session const session; }

void count_steps(KSP krylov) {
    auto const count = [](KSP, PetscInt, PetscReal, void*) -> PetscErrorCode {
        note_step();
        return 0;
    };
    check_petsc(KSPMonitorSet(krylov, count, nullptr, nullptr), "a linear solver cannot be watched");
}

void check_petsc(PetscErrorCode status, char const* problem) {
    note_step();
    if (status == 0) {
        return;
    }
    char const* text = nullptr;
    PetscErrorMessage(status, &text, nullptr);
    throw Error(
        {problem, fmt::format("PETSc: {}", text == nullptr ? "unknown error" : text), "", ExitCode::cannot_run});
}

MPI_Comm for_petsc(Communicator const& comm) { return comm.size() == 1 ? PETSC_COMM_SELF : comm.handle(); }

}  // namespace weir::aquifer
