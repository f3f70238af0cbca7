#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

/// MPI_Allgather: X bytes of every rank, on every rank. IMB: time of a call; no bandwidth.
class Allgather : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Allgather",
                                         .summary = "MPI_Allgather: all ranks' messages on every rank",
                                         .buffers = buffers_of::a_gather};
    static constexpr MpiForms forms WEIR_MPI_FORMS(Allgather, Iallgather);

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), all_bytes()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, message_.count(), message_.type(), at.receive, message_.count(), message_.type(),
                        comm(), more...);
    }

    void expect(int /*root*/, ExpectedData& expected) const override { expect_of_all(expected); }

  private:
    MessageType message_{bytes()};
};

CollectiveRegistration<Allgather> const allgather;

}  // namespace
}  // namespace weir
