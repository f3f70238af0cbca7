#include "bench/network/window_call.hpp"

namespace weir {
namespace {

/// MPI_Get of X bytes: Unidir_get by rank 0 from rank 1's send buffer, Bidir_get by both ranks from each other's at the
/// same time. IMB: time of a call; bandwidth = X / time, in both. IMB-EXT, where rank 1 gets, completes it by a fence;
/// IMB-RMA by a flush under a lock, where rank 1 of Unidir_get waits outside the time.
template <Ways ways>
class Get final : public PairWindowCall {
  public:
    static constexpr FunctionFacts facts{
        .name = ways == Ways::one ? "Unidir_get" : "Bidir_get",
        .summary = ways == Ways::one ? "MPI_Get by one rank from another" : "MPI_Get by two ranks from each other",
        .traffic = Traffic::single,
        .messages = 1,
        .one_sided = true};

    explicit Get(CallSetting const& setting) : PairWindowCall(setting, ways, Exposed::send) {}

    void call(CallPlace const& at) override {
        epoch([&] {
            check(MPI_Get(at.receive, message().count(), message().type(), next(), displacement(at.send),
                          message().count(), message().type(), window()));
        });
    }
};

FunctionRegistration<Get<Ways::one>> const unidir_get;
FunctionRegistration<Get<Ways::both>> const bidir_get;

}  // namespace
}  // namespace weir
