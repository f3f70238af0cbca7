#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

/// MPI_Allreduce: the sum of X bytes of floats of all ranks, on every rank. IMB: time of a call; no bandwidth.
class Allreduce : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Allreduce",
                                         .summary = "MPI_Allreduce: sums of all ranks' floats on every rank",
                                         .element_bytes = sizeof(float),
                                         .library_copies = 0.5};
    static constexpr MpiForms forms WEIR_MPI_COUNTED_FORMS(Allreduce, Iallreduce);

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, at.receive, count_, MPI_FLOAT, MPI_SUM, comm(), more...);
    }

    void expect(int /*root*/, ExpectedData& expected) const override { expected.sum(0, bytes(), 0); }

  private:
    ElementCount count_ = float_count(bytes());
};

CollectiveRegistration<Allreduce> const allreduce;

}  // namespace
}  // namespace weir
