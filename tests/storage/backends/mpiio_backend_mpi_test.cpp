#include "support/patterns/backend_case.hpp"

namespace weir {
namespace {

struct Mpiio : testing::BackendCase {
    Mpiio() : BackendCase("mpiio") {}
};

TEST_F(Mpiio, FileViewsPutEveryWordInItsPlace) {
    options.set("file_view", true);
    keeps_every_word("file_view");
}

TEST_F(Mpiio, TellsTheHintsThatAreInForce) { tells_hints_in_force(); }

}  // namespace
}  // namespace weir
