// What a run counts as which time, and where it ends.

#include "apps/common/run/one_run.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

/// Takes 2 s before its first step, a second for each, and 100 s to be looked at; may end early.
class Slow final : public Program {
  public:
    Slow(ManualClock& clock, std::uint64_t ends_after) : clock_(clock), ends_after_(ends_after) {}
    void begin() override { clock_.advance(Seconds{2}); }
    void advance() override { clock_.advance(Seconds{1}); }
    void observe() override { clock_.advance(Seconds{100}); }
    [[nodiscard]] bool has_ended() const override { return step_ >= ends_after_; }
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override {}
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override {}

  private:
    ManualClock& clock_;
    std::uint64_t ends_after_;
};

RunFigures run(std::uint64_t steps, std::uint64_t ends_after) {
    ManualClock clock;
    Slow program(clock, ends_after);
    Progress progress(Progress::Where::nowhere, clock);
    OneRun one(program, nullptr, {}, Communicator::world(), clock, progress);
    one.run({}, {.steps = steps});
    return one.figures();
}

TEST(OneRun, CountsNoTimeOfBeingLookedAt) {
    auto const figures = run(5, 1000);
    EXPECT_EQ(figures.steps, 5U);
    EXPECT_DOUBLE_EQ(figures.compute_s, 7);
    EXPECT_DOUBLE_EQ(figures.elapsed_s, 7);
    EXPECT_FALSE(figures.has_read);
    EXPECT_EQ(figures.dumps, 0U);
}

TEST(OneRun, EndsWhereTheProgramDoes) {
    EXPECT_EQ(run(5, 3).steps, 3U);
    EXPECT_EQ(run(0, 3).steps, 0U);
}

}  // namespace
}  // namespace weir
