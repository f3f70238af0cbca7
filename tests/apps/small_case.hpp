#pragma once

#include "apps/common/run/run_figures.hpp"

namespace weir {

/// The small case of Thakur et al. (1996), as their tables 1 and 2 count it.
inline RunFigures small_case() {
    RunFigures run;
    run.ranks = 8;
    run.backend = "twophase";
    run.library = DumpMethod::two_phase;
    run.steps = 20;
    run.dumps = 4;
    run.has_read = true;
    run.elapsed_s = 12;
    run.compute_s = 8;
    run.read_s = 0.5;
    run.write_s = 2;
    run.to_read = {25'165'848, 49};
    run.to_write = {218'104'384, 64};
    run.read[IoCall::open] = {8, 0, 0.5};
    run.read[IoCall::read] = {49, 25'165'848, 4};
    run.read.read_sizes = {{24, 1}, {524288, 48}};
    run.written[IoCall::open] = {192, 0, 1.0};
    run.written[IoCall::write] = {536, 218'104'384, 16};
    run.written[IoCall::seek] = {1225};
    run.written[IoCall::communication] = {3368, 0, 6};
    run.written.waiting_s = 4.5;
    run.written.write_sizes = {{24, 24}, {131072, 128}, {524288, 384}};
    return run;
}

}  // namespace weir
