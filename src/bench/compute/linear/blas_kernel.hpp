#pragma once

#include <optional>
#include <string>

#include "bench/compute/linear/blas.hpp"
#include "comm/launch_check.hpp"

namespace weir {

/// The widest vector instructions of a processor, as far as a BLAS has kernels for them.
enum class VectorWidth { other, avx2, avx512 };

/// Of this processor.
VectorWidth vector_width();

/// A warning where OpenBLAS chose a kernel for narrower vectors than the processor has: it knows processors by their
/// model numbers, takes the oldest kernel for one that is newer than itself, and is then several times slower. `kernel`
/// is its name for it ("Prescott"); empty where the BLAS does not tell. Pure.
std::optional<Warning> judge_kernel(std::string const& kernel, VectorWidth);

/// A warning where its threads are more than the CPUs that this rank may run on. Pure.
std::optional<Warning> judge_threads(std::uint64_t threads, std::uint64_t cpus);

/// The warnings for a sample that was taken with it on this processor.
Json warnings_of(Blas const&);

}  // namespace weir
