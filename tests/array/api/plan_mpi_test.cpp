// What ranks do wrong when they make plans and use them: found on all of them, and none waits.

#include <gtest/gtest.h>

#include "support/field.hpp"
#include "support/temporary_directory.hpp"

namespace {

using weir::Communicator;
using weir::testing::Field;
using weir::testing::TemporaryDirectory;

std::int64_t const shape[] = {8, 9, 10};

class Plan : public ::testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(weir_array_block(3, shape, nullptr, 8, WEIR_C_ORDER, &array_, &error_), WEIR_OK) << error_.message;
    }
    void TearDown() override {
        weir_plan_free(plan_);
        weir_array_free(array_);
    }
    int make(MPI_Comm comm, char const* options) { return weir_plan_make(comm, 1, &array_, options, &plan_, &error_); }

    Communicator world_ = Communicator::world();
    bool last_ = world_.rank() + 1 == world_.size();
    weir_array* array_ = nullptr;
    weir_plan* plan_ = nullptr;
    weir_error error_{};
};

TEST_F(Plan, OfDifferentOptionsIsRefused) {
    auto const code = make(world_.handle(), last_ && world_.size() > 1 ? "method=gather" : "");
    EXPECT_EQ(code, world_.size() > 1 ? WEIR_DISAGREE : WEIR_OK) << error_.message;
}

TEST_F(Plan, WithABadOptionOnOneRankIsRefusedOnAll) {
    EXPECT_EQ(make(world_.handle(), last_ ? "checksum=perhaps" : "checksum=yes"), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(error_.rank, static_cast<int>(world_.size()) - 1);
    EXPECT_NE(std::string(error_.message).find("perhaps"), std::string::npos) << error_.message;
}

TEST_F(Plan, TakesYesAndNo) {
    EXPECT_EQ(make(world_.handle(), "checksum=yes sync=no safe=off"), WEIR_OK) << error_.message;
}

TEST_F(Plan, WithoutRanksIsRefused) { EXPECT_EQ(make(MPI_COMM_NULL, ""), WEIR_BAD_ARGUMENT); }

TEST_F(Plan, WithNowhereForARequestOnOneRankFailsOnAll) {
    TemporaryDirectory const directory(world_);
    Field field(world_, {8, 9, 10}, "");
    auto const path = (directory.path() / "dump").string();
    weir_request* request = nullptr;
    EXPECT_EQ(weir_write_start(field.plan(), path.c_str(), 0, field.buffers(), last_ ? nullptr : &request, &error_),
              WEIR_BAD_ARGUMENT);
    EXPECT_EQ(request, nullptr);
    EXPECT_EQ(weir_write(field.plan(), path.c_str(), 0, field.buffers(), &error_), WEIR_OK) << error_.message;
}

}  // namespace
