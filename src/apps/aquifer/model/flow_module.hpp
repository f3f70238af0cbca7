#pragma once

#include <memory>

#include "apps/aquifer/model/model.hpp"

namespace weir::aquifer {

/// Makes the model that PETSc computes. Collective.
using FlowMaker = std::unique_ptr<Model> (*)(Communicator const&, Scenario const&, Ground const&);

/// Called by the flow's code when it is loaded: with the program where it is linked to it, as tests do, else by
/// need_flow().
void offer_flow(FlowMaker);

/// Loads the flow unless that was done. It is a module, since PETSc's sixty libraries would make every start of the
/// program a tenth of a second longer, and is never unloaded. Error (cannot run) if there is none, or it cannot be
/// loaded. Local.
FlowMaker need_flow();

}  // namespace weir::aquifer
