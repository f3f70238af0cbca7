#pragma once

#include <stddef.h>

namespace weir::trace {

// The program that exec or spawn is about to start: will it load the recorder?

/// Keeps the variables that its environment must have. Called once, at the start.
void keep_environment();

/// The number of entries of the completed environment; 0 if nothing is missing, or was removed deliberately: only an
/// environment with none of the recorder's variables is completed.
size_t missing_entries(char* const environment[]);

/// Copies the environment and adds the missing entries; `room` must hold all of them and the terminating null.
void complete_environment(char* const environment[], char** room);

/// Reports that a program will not load the recorder, if that can be determined: it is statically linked, or runs with
/// other rights. `search`: look it up in PATH.
void look_at_program(char const* path, bool search);

/// The number of words behind `env` that start a program, looked up in PATH, with the recorder's variables, and of the
/// terminating null; 0: it is not there, or its launcher passes the variables on by itself.
size_t words_to_start(char const* program, char* const arguments[]);

/// Writes these words: the entries, the program, and its arguments, which may be null.
void write_words_to_start(char const* program, char* const arguments[], char** words);

}  // namespace weir::trace

/// The environment with the recorder's variables added if it has none of them: on the stack, since a child of vfork
/// cannot free other memory. Variables removed deliberately are not restored: such a program removes one of them, and
/// keeps the others.
#define WEIR_COMPLETE(environment)                                                              \
    if (auto const entries = missing_entries(environment); entries > 0) {                       \
        auto** const complete = static_cast<char**>(__builtin_alloca(entries * sizeof(char*))); \
        complete_environment(environment, complete);                                            \
        (environment) = complete;                                                               \
    }
