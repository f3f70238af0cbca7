#pragma once

#include <string>

#include "storage/backend.hpp"

namespace weir::performance {

/// The hints under which ROMIO's two-phase collective is fastest on one node: an aggregator for each core, and rounds
/// that stay in a core's cache. As it is, ROMIO has one aggregator a node, and rounds of 16 MiB.
Hints tuned_romio();

/// ROMIO's collective calls without two-phase: each rank reads and writes its own pieces, by data sieving.
Hints sieving_romio();

/// Aggregators where each core has one, as text.
std::string aggregators();

}  // namespace weir::performance
