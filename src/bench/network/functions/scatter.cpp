#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

/// MPI_Scatter: X bytes from the root to every rank. IMB: time of a call; no bandwidth.
class Scatter : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Scatter",
                                         .summary = "MPI_Scatter: a message of its own from the root to every rank",
                                         .buffers = buffers_of::a_scatter};
    static constexpr MpiForms forms WEIR_MPI_FORMS(Scatter, Iscatter);

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {all_bytes(), bytes()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, message_.count(), message_.type(), at.receive, message_.count(), message_.type(),
                        at.root, comm(), more...);
    }

    void expect(int root, ExpectedData& expected) const override {
        expected.piece(0, bytes(), static_cast<std::uint64_t>(root), static_cast<std::uint64_t>(rank()) * bytes());
    }

  private:
    MessageType message_{bytes()};
};

CollectiveRegistration<Scatter> const scatter;

}  // namespace
}  // namespace weir
