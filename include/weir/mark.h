#ifndef WEIR_MARK_H
#define WEIR_MARK_H

/* Names for a program's own phases in a trace (`weir trace`). Nothing to link: without the recorder, each call finds
 * that out once and does nothing from then on. Calls belong to the thread that makes them; phases may lie inside each
 * other. Fortran: the module weir_marks, in weir_marks.f90 beside this file.
 *
 *     weir_mark_begin("dump");
 *     write_checkpoint(...);
 *     weir_mark_end("dump");
 *
 * Where dlsym() is in a library of its own (glibc before 2.34), link with -ldl. */

#include <dlfcn.h>
#include <string.h>

#ifdef RTLD_DEFAULT
#define WEIR_ANY_LIBRARY RTLD_DEFAULT
#else
#define WEIR_ANY_LIBRARY ((void*)0)
#endif

#if defined(__GNUC__)
#define WEIR_MARK_FUNCTION static inline __attribute__((unused)) void
#else
#define WEIR_MARK_FUNCTION static void
#endif

typedef void (*weir_mark_function)(char const*);

WEIR_MARK_FUNCTION weir_mark_nothing(char const* name) { (void)name; }

/* Calls the recorder's function of this name. Several threads that come first do the same. */
WEIR_MARK_FUNCTION weir_mark_call(weir_mark_function* known, char const* function, char const* name) {
    if (*known == 0) {
        void* const found = dlsym(WEIR_ANY_LIBRARY, function);
        weir_mark_function call = weir_mark_nothing;
        if (found != 0) {
            memcpy(&call, &found, sizeof call);
        }
        *known = call;
    }
    (*known)(name);
}

/* A phase begins. A program that is killed within it leaves its beginning in the trace. */
WEIR_MARK_FUNCTION weir_mark_begin(char const* name) {
    static weir_mark_function known = 0;
    weir_mark_call(&known, "weir_recorder_mark_begin", name);
}

/* The innermost phase of this name ends; and those that were begun inside it, if they have not. */
WEIR_MARK_FUNCTION weir_mark_end(char const* name) {
    static weir_mark_function known = 0;
    weir_mark_call(&known, "weir_recorder_mark_end", name);
}

/* A moment: "step 7". */
WEIR_MARK_FUNCTION weir_mark(char const* name) {
    static weir_mark_function known = 0;
    weir_mark_call(&known, "weir_recorder_mark", name);
}

#endif
