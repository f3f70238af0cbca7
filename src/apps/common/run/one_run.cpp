#include "apps/common/run/one_run.hpp"

#include <utility>

#include "comm/collective_error.hpp"
#include "core/interrupt.hpp"
#include "core/proc.hpp"

namespace weir {

OneRun::OneRun(Program& program, DumpWriter* files, Communicator comm, Clock& clock, Progress& progress)
    : program_(program), files_(files), comm_(std::move(comm)), clock_(clock), progress_(progress) {
    mine_.ranks = comm_.size();
}

RunFigures OneRun::figures() const { return of_all_ranks(mine_, comm_); }

void OneRun::run(Beginning const& beginning, DumpTimes const& times) {
    comm_.barrier();
    mine_.started_at = utc_time();
    auto const start_s = clock_.now_s();
    double aside_s = 0;
    if (beginning.restarted) {
        read(beginning);
    }
    timed(mine_.compute_s, [&] { program_.begin(); });
    mine_.has_read = beginning.restarted;
    timed(aside_s, [&] { program_.observe(); });
    auto const last_step = program_.step() + times.steps;
    while (program_.step() < last_step && !program_.has_ended()) {
        run_together(comm_, [] { throw_if_interrupted(); });
        timed(mine_.compute_s, [&] { program_.advance(); });
        ++mine_.steps;
        auto const dumped = dump_if_due(times);
        progress_.tell({program_.step(), last_step, program_.standing(mine_.compute_s)}, dumped);
    }
    timed(aside_s, [&] { program_.observe(); });
    mine_.elapsed_s = clock_.now_s() - start_s - aside_s;
    progress_.end();
}

void OneRun::read(Beginning const& beginning) {
    timed(mine_.read_s, [&] { files_->restart(program_, beginning.restart_file); });
    mine_.read = files_->calls();
    mine_.to_read = files_->asked();
    files_->forget();
}

bool OneRun::dump_if_due(DumpTimes const& times) {
    if (times.every == 0 || !(program_.has_ended() || times.is_due(program_.step()))) {
        return false;
    }
    comm_.barrier();  // so that early ranks do not wait inside the timed part
    if (mine_.dumps == 0) {
        mine_.dumping_at = utc_time();
    }
    timed(mine_.write_s, [&] { files_->dump(program_); });
    mine_.written = files_->calls();
    mine_.to_write = files_->asked();
    ++mine_.dumps;
    return true;
}

}  // namespace weir
