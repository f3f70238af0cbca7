#include "core/rank_progress.hpp"

namespace weir {
namespace {

constinit RankProgress unwatched;

}  // namespace

RankProgress* rank_progress = &unwatched;

void note_phase(std::string_view name) noexcept { rank_progress->phase.set(name); }

}  // namespace weir
