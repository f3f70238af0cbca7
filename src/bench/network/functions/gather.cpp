#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

/// MPI_Gather: X bytes of every rank, at the root. IMB: time of a call; no bandwidth.
class Gather : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Gather",
                                         .summary = "MPI_Gather: all ranks' messages at the root",
                                         .buffers = buffers_of::a_gather};
    static constexpr MpiForms forms WEIR_MPI_FORMS(Gather, Igather);

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), all_bytes()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, message_.count(), message_.type(), at.receive, message_.count(), message_.type(),
                        at.root, comm(), more...);
    }

    void expect(int root, ExpectedData& expected) const override {
        if (rank() == root) {
            expect_of_all(expected);
        }
    }

  private:
    MessageType message_{bytes()};
};

CollectiveRegistration<Gather> const gather;

}  // namespace
}  // namespace weir
