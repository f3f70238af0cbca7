#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

/// MPI_Bcast of X bytes from the root. IMB: time of a call; no bandwidth.
class Bcast : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Bcast", .summary = "MPI_Bcast: the root's message to all ranks"};
    static constexpr MpiForms forms WEIR_MPI_FORMS(Bcast, Ibcast);

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        auto* const buffer = rank() == at.root ? at.send : at.receive;
        return function(buffer, message_.count(), message_.type(), at.root, comm(), more...);
    }

    void expect(int root, ExpectedData& expected) const override {
        if (rank() != root) {
            expected.piece(0, bytes(), static_cast<std::uint64_t>(root), 0);
        }
    }

  private:
    MessageType message_{bytes()};
};

CollectiveRegistration<Bcast> const bcast;

}  // namespace
}  // namespace weir
