// What the library refuses is an error as the engine knows it, on all ranks.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "storage/backends/twophase/request_plan.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

ExitCode code_of(Communicator const& comm, FirstFailure const& failure) {
    try {
        agree_as_errors(comm, failure);
        return ExitCode::fine;
    } catch (Error const& error) {
        return error.diagnosis().exit_code;
    }
}

TEST(RequestGroup, RefusesAProfileThatIsNotThere) {
    auto const world = Communicator::world();
    array::PlanOptions options;
    options.profile = "/nowhere/profile.json";
    auto const error = testing::error_of([&] { RequestGroup const group(world, ".", options); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::usage) << error.what();
    EXPECT_NE(std::string(error.what()).find("/nowhere/profile.json"), std::string::npos) << error.what();
}

TEST(RequestGroup, TellsAMistakeFromAMachineThatFails) {
    auto const world = Communicator::world();
    for (auto const& [code, expected] :
         {std::pair{WEIR_BAD_ARGUMENT, ExitCode::usage}, std::pair{WEIR_DISAGREE, ExitCode::usage},
          std::pair{WEIR_NO_MEMORY, ExitCode::cannot_run}}) {
        FirstFailure failure;
        if (world.is_root()) {
            failure.attempt([code = code] { throw Failure(code, "of rank 0"); });
        }
        EXPECT_EQ(code_of(world, failure), expected);
    }
    EXPECT_EQ(code_of(world, {}), ExitCode::fine);
}

}  // namespace
}  // namespace weir
