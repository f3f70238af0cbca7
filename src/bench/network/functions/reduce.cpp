#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

/// MPI_Reduce: the sum of X bytes of floats of all ranks, at the root. IMB: time of a call; no bandwidth.
class Reduce : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Reduce",
                                         .summary = "MPI_Reduce: sums of all ranks' floats at the root",
                                         .element_bytes = sizeof(float),
                                         .library_copies = 1.5};
    static constexpr MpiForms forms WEIR_MPI_COUNTED_FORMS(Reduce, Ireduce);

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, at.receive, count_, MPI_FLOAT, MPI_SUM, at.root, comm(), more...);
    }

    void expect(int root, ExpectedData& expected) const override {
        if (rank() == root) {
            expected.sum(0, bytes(), 0);
        }
    }

  private:
    ElementCount count_ = float_count(bytes());
};

CollectiveRegistration<Reduce> const reduce;

}  // namespace
}  // namespace weir
