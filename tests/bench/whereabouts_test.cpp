#include "bench/whereabouts.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace weir {
namespace {

class Whereabouts : public ::testing::Test {
  protected:
    Whereabouts() { show_progress_in(&shown); }
    ~Whereabouts() override { show_progress_in(nullptr); }
    RankProgress shown;
};

TEST_F(Whereabouts, EndWithTheirPlace) {
    show_progress_in(nullptr);
    note_step();
    EXPECT_EQ(shown.steps, 0U);
}

TEST_F(Whereabouts, AreToldOnRequest) {
    shown.asked = 7;
    std::array<int, 2> numbers{2, 1};
    std::qsort(numbers.data(), numbers.size(), sizeof(int),
               [](void const*, void const*) { return std::raise(where_signal); });
    EXPECT_EQ(shown.answered, 7U);
    EXPECT_EQ(shown.mpi_call.get(), "");
    EXPECT_NE(shown.calls.get().find("qsort"), std::string::npos) << shown.calls.get();
}

TEST_F(Whereabouts, LeaveTheErrorNumberAlone) {
    errno = ENOSPC;
    std::raise(where_signal);
    EXPECT_EQ(errno, ENOSPC);
}

TEST(FileCall, IsKnownByAnyOfItsNames) {
    for (auto const* name : {"pwrite", "pwrite64", "__libc_pwrite64", "fsync", "openat64"}) {
        EXPECT_TRUE(is_file_call(name)) << name;
    }
    for (auto const* name : {"write", "poll", "MPI_File_write", "nanosleep", ""}) {
        EXPECT_FALSE(is_file_call(name)) << name;
    }
}

}  // namespace
}  // namespace weir
