#include "bench/network/collective_forms.hpp"

namespace weir {
namespace {

/// MPI_Alltoall: X bytes from every rank to every rank. IMB: time of a call; no bandwidth.
class Alltoall : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "Alltoall",
                                         .summary = "MPI_Alltoall: a message from every rank to every rank",
                                         .buffers = buffers_of::an_exchange};
    static constexpr MpiForms forms WEIR_MPI_FORMS(Alltoall, Ialltoall);

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {all_bytes(), all_bytes()}; }

    template <class Function, class... More>
    int invoke(Function function, CallPlace const& at, More... more) const {
        return function(at.send, message_.count(), message_.type(), at.receive, message_.count(), message_.type(),
                        comm(), more...);
    }

    void expect(int /*root*/, ExpectedData& expected) const override {
        expect_of_all(expected, static_cast<std::uint64_t>(rank()) * bytes());
    }

  private:
    MessageType message_{bytes()};
};

CollectiveRegistration<Alltoall> const alltoall;

}  // namespace
}  // namespace weir
