/// Weir's two-phase library for C++17: distributed arrays to files and back. Calls, rules and units are those of
/// array.h.
///
///     auto density = weir::io::Array::block({512, 512, 512}, sizeof(double)).ghosts({1, 1, 1}, {1, 1, 1});
///     std::vector<double> rho(density.local(comm).bytes / sizeof(double));
///     weir::io::Plan plan(comm, {density});
///     plan.write("density.raw", rho);
///     plan.read("density.raw", rho);
///
/// A failed call throws weir::io::Error; collective calls throw it on all ranks. A failed description does not throw:
/// the plan does, on all ranks, so that none waits for another. Nothing else than the C library is linked.
#pragma once

#include "weir/array/buffers.hpp"       // arrays in memory
#include "weir/array/distribution.hpp"  // 1. describe
#include "weir/array/error.hpp"
#include "weir/array/indices.hpp"
#include "weir/array/plan.hpp"     // 2. plan, 3. write, 4. read
#include "weir/array/request.hpp"  // dumps in flight
#include "weir/array/sink.hpp"     // targets other than files
