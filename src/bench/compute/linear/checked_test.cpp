#include "bench/compute/linear/checked_test.hpp"

#include <utility>

#include "bench/enough_memory.hpp"
#include "bench/measure.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"
#include "core/rank_progress.hpp"

namespace weir {

void TestRun::write(TestSample sample) const {
    sample.started = started;
    sample.cache_share = cache_share;
    write_sample(context, turn, std::move(sample));
}

void CheckedTest::declare(OptionSet& options) {
    declare_work(options);
    options.group("measuring");
    declare_check(options);
    repetitions_.declare(options);
}

void CheckedTest::declare_check(OptionSet& options) {
    options.add("plant_error", plant_error_, "change one number before the check, to test it");
}

Json CheckedTest::describe(std::uint64_t ranks) {
    choose_size(memory_.of_rank_here(ranks), ranks);
    check_size(ranks);
    return describe_without_files(bytes(ranks));
}

void CheckedTest::run(JobContext& context) {
    auto const& comm = context.comm;
    run_together(comm, [&] { load(); });
    choose_size(memory_.of_rank(comm), comm.size());
    refuse_more_memory(comm, bytes(comm.size()),
                       [&](std::uint64_t bytes) { return option_within(bytes, comm.size()); });
    check_size(comm.size());
    auto const in_use = bytes_in_use(comm.size());
    auto const cache_share = in_use > 0 ? CacheShare(comm, in_use, sharing()) : CacheShare();
    auto const repetition = prepare(context);
    EnergyMeter energy(comm);
    repetitions_.each(context.clock, [&](Turn const& turn) {
        note_phase(name_);
        repetition({context, turn, energy, cache_share, utc_time()});
        note_phase("");
    });
}

void expect_right(bool is_right, char const* problem, std::string why, char const* advice) {
    if (!is_right) {
        note_phase("");
        throw Error({problem, std::move(why), advice, ExitCode::wrong_data});
    }
}

}  // namespace weir
