#pragma once

/// Loops that become vector code. A function marked WEIR_VECTOR_CODE is compiled for AVX2 as well where the compiler
/// and the C library can choose at program start; what it calls has to be inlined into it (WEIR_INLINE).
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__OPTIMIZE__)
#define WEIR_VECTOR_CODE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WEIR_VECTOR_CODE
#endif

#define WEIR_INLINE inline __attribute__((always_inline))

/// Before a loop whose iterations do not depend on each other.
#if defined(__clang__)
#define WEIR_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WEIR_INDEPENDENT _Pragma("GCC ivdep")
#endif
