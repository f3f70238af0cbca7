#ifndef WEIR_MARK_H
#define WEIR_MARK_H

/* Names for a program's own phases in a trace (`weir trace`). Nothing to link: without the recorder, the first call
 * finds that out and later ones do nothing. A phase belongs to the thread that begins it; phases may be nested.
 * Fortran: the module weir_marks, in weir_marks.f90 in this directory.
 *
 *     weir_mark_begin("dump");
 *     write_checkpoint(...);
 *     weir_mark_end("dump");
 *
 * Where dlsym() is in a separate library (glibc before 2.34), link with -ldl. */

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

/* Calls the recorder's function of this name. The lookup is idempotent, so threads may race to be first. */
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

/* A phase begins. If the program is killed within it, the trace still contains the beginning. */
WEIR_MARK_FUNCTION weir_mark_begin(char const* name) {
    static weir_mark_function known = 0;
    weir_mark_call(&known, "weir_recorder_mark_begin", name);
}

/* The innermost phase of this name ends, together with unfinished phases inside it. */
WEIR_MARK_FUNCTION weir_mark_end(char const* name) {
    static weir_mark_function known = 0;
    weir_mark_call(&known, "weir_recorder_mark_end", name);
}

/* An instant: "step 7". */
WEIR_MARK_FUNCTION weir_mark(char const* name) {
    static weir_mark_function known = 0;
    weir_mark_call(&known, "weir_recorder_mark", name);
}

#endif
