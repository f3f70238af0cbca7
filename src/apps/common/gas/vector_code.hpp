#pragma once

/// Vectorised loops. A function marked WEIR_VECTOR_CODE is also compiled for AVX2 if the compiler and the C library can
/// choose at program start; functions that it calls must be inlined (WEIR_INLINE).
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__OPTIMIZE__)
#define WEIR_VECTOR_CODE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WEIR_VECTOR_CODE
#endif

#define WEIR_INLINE inline __attribute__((always_inline))

/// For a loop with independent iterations.
#if defined(__clang__)
#define WEIR_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WEIR_INDEPENDENT _Pragma("GCC ivdep")
#endif
