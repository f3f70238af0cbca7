#include "bench/network/window_call.hpp"

namespace weir {
namespace {

/// MPI_Put of X bytes: Unidir_put by rank 0 into rank 1's receive buffer, Bidir_put by both ranks into each other's at
/// the same time. IMB: time of a call; bandwidth = X / time, in both. IMB-EXT completes it by a fence, IMB-RMA by a
/// flush under a lock, where rank 1 of Unidir_put waits outside the time.
template <Ways ways>
class Put final : public PairWindowCall {
  public:
    static constexpr FunctionFacts facts{
        .name = ways == Ways::one ? "Unidir_put" : "Bidir_put",
        .summary = ways == Ways::one ? "MPI_Put from one rank to another" : "MPI_Put from two ranks to each other",
        .traffic = Traffic::single,
        .messages = 1,
        .one_sided = true};

    explicit Put(CallSetting const& setting) : PairWindowCall(setting, ways, Exposed::receive) {}

    void call(CallPlace const& at) override {
        epoch([&] {
            check(MPI_Put(at.send, message().count(), message().type(), next(), displacement(at.receive),
                          message().count(), message().type(), window()));
        });
    }
};

FunctionRegistration<Put<Ways::one>> const unidir_put;
FunctionRegistration<Put<Ways::both>> const bidir_put;

}  // namespace
}  // namespace weir
