// aquifer_steps CHOICE CELLS STEPS [SPECIES RETENTION TIMES_PUMPED]: days of the usual aquifer, in a program that loads
// the flow's module as weir-core does; prints what they took.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "apps/aquifer/model/model.hpp"
#include "aquifer/small_aquifer.hpp"
#include "core/clock.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"

using namespace weir;
using namespace weir::aquifer;

namespace {

void run(Communicator const& world, std::span<std::string const> words) {
    auto const choice = from_text<ModelChoice>(words[0], "choice");
    auto const cells = parse_triple(words[1], "cells");
    auto const steps = std::stoi(words[2]);
    auto const species = words.size() > 3 ? std::stoul(words[3]) : 1;
    auto const retention = words.size() > 4 ? from_text<Retention>(words[4], "retention") : Retention::van_genuchten;
    auto scenario = small_aquifer(cells, species, retention);
    for (auto& well : scenario.flow.wells) {
        well.rate *= words.size() > 5 ? std::stod(words[5]) : 1;
    }
    auto const block = block_of(scenario.box, ranks_for(cells, world.size()), world.rank());
    auto const ground = random_ground(scenario, block);
    MonotonicClock const clock;
    auto const begin_s = clock.now_s();
    auto const model = make_model(world, scenario, ground, {.choice = choice});
    auto const made_s = clock.now_s();
    for (int step = 0; step < steps; ++step) {
        model->advance(86400);
    }
    auto const end_s = clock.now_s();
    auto const& figures = model->figures();
    auto const [dry, wet] = std::ranges::minmax(model->heads());
    auto const least = std::ranges::min(model->saturation());
    if (world.is_root()) {
        fmt::print(
            "{}: {} steps, {} cuts, {} newton, {} krylov, water {:.1e}, species {:.1e}, heads {:.2f} to {:.2f}, "
            "saturation {:.3f}, set up {:.3f} s, {:.3f} us per cell and step\n",
            to_text(model->kind()), figures.steps, figures.cuts, figures.newton, figures.krylov,
            figures.worst_water_error.value_or(0), figures.worst_species_error.value_or(0), dry, wet, least,
            made_s - begin_s, 1e6 * (end_s - made_s) / steps / static_cast<double>(block.count()));
    }
}

}  // namespace

int main(int argc, char** argv) {
    MpiSession const session(argc, argv);
    std::vector<std::string> const words(argv + 1, argv + argc);
    if (words.size() < 3) {
        fmt::print(stderr, "Usage: aquifer_steps CHOICE CELLS STEPS [SPECIES RETENTION TIMES_PUMPED]\n");
        return 2;
    }
    try {
        run(Communicator::world(), words);
    } catch (Error const& error) {
        fmt::print(stderr, "{}\n", error.what());
        return static_cast<int>(error.diagnosis().exit_code);
    }
    return 0;
}
