#pragma once

#include <stddef.h>

namespace weir::trace {

// The program that exec or spawn is about to start: will it load the recorder?

/// Keeps the variables that its environment must have. Called once, at the start.
void keep_environment();

/// How many entries the completed environment has room for; 0 where nothing is missing, or was left out on purpose:
/// only an environment with none of the recorder's variables is completed.
size_t missing_entries(char* const environment[]);

/// The environment with what it lacks: `room` for all of its entries, those that are missing, and the null behind them.
void complete_environment(char* const environment[], char** room);

/// Says that a program will not load the recorder, where that can be seen: it is linked statically, or runs with rights
/// of its own. `search`: it is looked for as a shell does.
void look_at_program(char const* path, bool search);

}  // namespace weir::trace

/// The environment with the recorder's variables, where it has none of them: on the stack, since a child of vfork could
/// give back no other memory. What a program leaves out on purpose is not put back: it takes one of them, and leaves
/// the others.
#define WEIR_COMPLETE(environment)                                                              \
    if (auto const entries = missing_entries(environment); entries > 0) {                       \
        auto** const complete = static_cast<char**>(__builtin_alloca(entries * sizeof(char*))); \
        complete_environment(environment, complete);                                            \
        (environment) = complete;                                                               \
    }
