#include <cstring>

#include "bench/network/network_function.hpp"

namespace weir {
namespace {

/// No message: every rank copies X bytes in its own memory, all at once, as collectives do with a rank's own part.
/// Time of a call; bandwidth = X / time.
class LocalCopy final : public NetworkCall {
  public:
    static constexpr FunctionFacts facts{.name = "LocalCopy",
                                         .summary = "no message: each rank copies in its own memory",
                                         .traffic = Traffic::parallel,
                                         .messages = 1};

    using NetworkCall::NetworkCall;

    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }

    void call(CallPlace const& at) override { std::memcpy(at.receive, at.send, bytes()); }

    void expect(int /*root*/, ExpectedData& expectation) const override {
        expectation.piece(0, bytes(), static_cast<std::uint64_t>(rank()), 0);
    }
};

FunctionRegistration<LocalCopy> const local_copy;

}  // namespace
}  // namespace weir
