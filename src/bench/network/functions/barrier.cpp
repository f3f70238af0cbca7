#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

/// MPI_Barrier. IMB: time of a call, one after the other; no message.
class Barrier : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Barrier",
                                         .summary = "MPI_Barrier",
                                         .has_message = false,
                                         .starts_together = false,
                                         .buffers = buffers_of::nothing};
    static constexpr MpiForms forms WEIR_MPI_FORMS(Barrier, Ibarrier);

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {}; }
    template <class Function, class... More>
    int invoke(Function function, CallPlace const& /*at*/, More... more) const {
        return function(comm(), more...);
    }
    void expect(int /*root*/, ExpectedData& /*expected*/) const override {}
};

CollectiveRegistration<Barrier> const barrier;

}  // namespace
}  // namespace weir
