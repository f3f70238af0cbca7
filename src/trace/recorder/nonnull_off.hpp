#pragma once

// Comes before all headers: theirs promise that some pointers are none of null, and compilers then leave out the
// wrappers' own checks. What programs pass, nobody has promised.

#include <sys/cdefs.h>

#undef __nonnull
#define __nonnull(parameters)
#undef __attribute_nonnull__
#define __attribute_nonnull__(parameters)
