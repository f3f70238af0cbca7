#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include "boost/open_file.hpp"

/// For functions of this library that take the place of MPI's. Under both of their names: bindings of Fortran call one
/// or the other.
#define WEIR_TAKEN_OVER extern "C" __attribute__((visibility("default")))
#define WEIR_ALSO(name) WEIR_TAKEN_OVER decltype(P##name) P##name __attribute__((alias(#name)))

/// The function that would have been called without this library.
#define WEIR_BEHIND(name)                                                             \
    ([]() -> decltype(&P##name) {                                                     \
        static auto* const found = weir::boost::behind<decltype(P##name)>("P" #name); \
        return found;                                                                 \
    }())

namespace weir::boost {

template <class Function>
Function* behind(char const* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Is the program's MPI the one that this library was built for? Of another, handles mean something else.
bool is_our_mpi();

/// What this library holds of a file of the program. Null: nothing, as of files of one rank. Local.
OpenFile* known(MPI_File file);

/// By MPI, timed.
template <class Function>
int by_mpi(OpenFile* open, Function function) {
    if (open == nullptr) {
        return function();
    }
    auto const began = PMPI_Wtime();
    auto const code = function();
    auto const took = PMPI_Wtime() - began;
    count(tally().left_s, took);
    open->took(took);
    return code;
}

}  // namespace weir::boost
