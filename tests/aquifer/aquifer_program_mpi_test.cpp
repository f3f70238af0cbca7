// What the program tells the flow's model, seen in the first file that it leaves.

#include "apps/aquifer/io/aquifer_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "apps/common/run/one_run.hpp"
#include "support/file_bytes.hpp"
#include "support/mpi/on_root.hpp"
#include "support/temporary_directory.hpp"

namespace weir::aquifer {
namespace {

TEST(AquiferProgramWithFlow, HasItsTracerWhereTheInputSaysSo) {
    Triple const n{16, 9, 4};
    AquiferRun run;
    run.scenario = usual_scenario({n, {10, 10, 1}}, 1, Retention::van_genuchten);
    run.files = {.box = run.scenario.box, .buffer = 100, .files = OutputFiles::per_step, .species = {"Tracer"}};
    run.files.hdf5 = false;
    run.input.conductivity = run.scenario.conductivity;
    run.input.materials = 1;
    run.model.choice = ModelChoice::flow;

    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory const directory{comm};
    MonotonicClock clock;
    std::shared_ptr<Backend> const backend = Backends::instance().find("posix")->make();
    OptionSet none;
    backend->declare(none);
    auto const plan = plan_of(run.files, comm.size(), 0, true);
    DumpWriter files(
        plan, other_strategy("posix", backend, false), [](std::filesystem::path const&, DumpStrategy const&) {}, comm,
        directory.path(), clock);
    AquiferProgram program(comm, run);
    files.dump_restart(program);
    Progress progress(Progress::Where::nowhere, clock);
    OneRun(program, &files, {}, comm, clock, progress).run({.restarted = true}, {0, 0, 1, {}, true});
    EXPECT_EQ(program.labels()["model"], "flow");

    testing::on_root(comm, [&] {
        auto const bytes = testing::bytes_of_file(directory.path() / "aquifer-000.raw");
        auto const& arrays = plan.shape.files[1].arrays;
        auto const& tracer = arrays.at(head_arrays + 2);
        ASSERT_EQ(tracer.name, "Time:  0.00000E+00 d/Total_Tracer [M]");
        ASSERT_GE(bytes.size(), *tracer.offset + bytes_of(tracer));
        std::vector<Triple> found;
        for (std::uint64_t cell = 0; cell < run.files.count(); ++cell) {
            auto const at = cell_of(n, cell);
            auto const place = static_cast<std::uint64_t>(at[2] + n[2] * (at[1] + n[1] * at[0]));
            double value = 0;
            std::memcpy(&value, bytes.data() + *tracer.offset + 8 * place, sizeof value);
            if (value != 0) {
                EXPECT_EQ(value, 1);
                found.push_back(at);
            }
        }
        EXPECT_EQ(found, source_cells(n));
    });
}

}  // namespace
}  // namespace weir::aquifer
