#pragma once

// Included before all headers: the C library's declare some parameters as nonnull, and compilers then drop the
// wrappers' own checks. Programs may still pass null.

#include <sys/cdefs.h>

#undef __nonnull
#define __nonnull(parameters)
#undef __attribute_nonnull__
#define __attribute_nonnull__(parameters)
