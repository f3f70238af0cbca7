#pragma once

#include <optional>
#include <string>

#include "bench/compute/linear/blas.hpp"
#include "comm/communicator.hpp"
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

/// A warning where so many ranks of a node, with so many threads each, may run on the same CPUs, and these are fewer.
/// No threads beside a rank's own: no warning, nor where the CPUs are unknown (0). Pure.
std::optional<Warning> judge_threads(std::uint64_t threads, std::uint64_t ranks, std::uint64_t cpus);

/// The warnings for a sample that was taken with it on this processor. Collective.
Json warnings_of(Blas const&, Communicator const&);

}  // namespace weir
