#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bench/network/call_choices.hpp"
#include "bench/network/message_type.hpp"
#include "comm/communicator.hpp"
#include "core/registry.hpp"

namespace weir {

/// IMB's classes: one message at a time, between two ranks; messages of all ranks at once; one call of all ranks.
enum class Traffic { single, parallel, collective };
constexpr std::array<std::string_view, 3> enum_names(Traffic) { return {"single", "parallel", "collective"}; }

/// Bytes of a rank's buffers for one call.
struct BufferSizes {
    std::uint64_t send = 0;
    std::uint64_t receive = 0;
};

/// Of what the sizes of buffers follow.
struct CallShape {
    std::uint64_t bytes = 0;  ///< message size
    std::uint64_t ranks = 0;  ///< that call the function together
    CallChoices const& choices;

    [[nodiscard]] constexpr std::uint64_t all() const { return bytes * ranks; }
    /// The longest message, of ramped ones below twice the mean.
    [[nodiscard]] constexpr std::uint64_t longest() const {
        return choices.counts == Counts::ramped ? 2 * bytes : bytes;
    }
};

/// The buffers of the rank that needs most, by what a function does.
namespace buffers_of {
constexpr BufferSizes nothing(CallShape const&) { return {}; }
constexpr BufferSizes a_message(CallShape const& shape) { return {shape.bytes, shape.bytes}; }
constexpr BufferSizes two_messages(CallShape const& shape) { return {2 * shape.bytes, 2 * shape.bytes}; }
constexpr BufferSizes a_gather(CallShape const& shape) { return {shape.longest(), shape.all()}; }
constexpr BufferSizes a_scatter(CallShape const& shape) { return {shape.all(), shape.longest()}; }
constexpr BufferSizes an_exchange(CallShape const& shape) { return {shape.all(), shape.longest() * shape.ranks}; }
}  // namespace buffers_of

/// What is fixed about a function, and how IMB reports it.
struct FunctionFacts {
    std::string_view name;     ///< as IMB spells it
    std::string_view summary;  ///< what a call does
    Traffic traffic = Traffic::collective;
    double times_per_call = 1;         ///< the reported time is a call's duration divided by this
    std::optional<double> messages{};  ///< bandwidth = so many messages / reported time; nothing: none is reported
    std::uint64_t element_bytes = 1;   ///< sizes are multiples of it: 4 of functions that add floats
    bool has_message = true;           ///< false: only size 0
    bool starts_together = true;       ///< in IMB 2021, collective: a barrier before each call
    bool one_sided = false;            ///< by windows
    bool keeps_place = false;          ///< all calls use the same buffers and root 0
    bool set_up_by_all = false;        ///< some MPIs hang where not all of their ranks make such calls
    BufferSizes (*buffers)(CallShape const&) = buffers_of::a_message;
    /// How often an MPI library holds the larger buffer once more, to add up in: at most, as processes grew with Open
    /// MPI 4.1 on 2 to 4 ranks, blocking and not.
    double library_copies = 0;
    std::string_view unavailable{};  ///< what it needs that this MPI lacks, in words; empty: nothing
};

/// What is chosen for one case of a function.
struct CallSetting {
    Communicator const& ranks;  ///< that take part, and no others; two if the traffic is single
    std::uint64_t bytes = 0;    ///< message size
    CallChoices const& choices;
};

/// Where a call finds its data, and the rank that is its root.
struct CallPlace {
    std::byte* send = nullptr;
    std::byte* receive = nullptr;
    int root = 0;
};

/// Receives what a call must leave in this rank's receive buffer, piece by piece.
class ExpectedData {
  public:
    virtual ~ExpectedData() = default;
    /// These bytes of a rank's send buffer.
    virtual void piece(std::uint64_t at, std::uint64_t bytes, std::uint64_t of_rank, std::uint64_t from) = 0;
    /// The sums over all ranks of these bytes of their send buffers, taken as floats.
    virtual void sum(std::uint64_t at, std::uint64_t bytes, std::uint64_t from) = 0;
};

/// A function prepared for one case on one rank: all that must not be timed is done before.
class NetworkCall {
  public:
    explicit NetworkCall(CallSetting const& setting)
        : ranks_(setting.ranks),
          bytes_(setting.bytes),
          rank_(static_cast<int>(setting.ranks.rank())),
          size_(static_cast<int>(setting.ranks.size())) {}
    virtual ~NetworkCall() = default;
    NetworkCall(NetworkCall const&) = delete;
    NetworkCall& operator=(NetworkCall const&) = delete;

    [[nodiscard]] virtual BufferSizes sizes() const = 0;

    /// Once before all calls, with the whole buffers: for windows and persistent requests. Collective.
    virtual void attach(std::span<std::byte> /*send*/, std::span<std::byte> /*receive*/) {}

    /// The call that is timed. Errors of MPI are kept in the communicator.
    virtual void call(CallPlace const&) = 0;

    /// Whether this rank has a part in the call; a rank that others reach into without its help has none, and no time.
    [[nodiscard]] virtual bool is_timed() const { return true; }

    /// Around a call whose data are checked, after its receive buffer was made wrong and before it is compared: what
    /// one-sided calls need so that memory and window agree. Collective.
    virtual void prepare_check(CallPlace const&) {}
    virtual void finish_check() {}

    /// What a call leaves in the receive buffer of this rank. Local.
    virtual void expect(int root, ExpectedData&) const = 0;

  protected:
    void check(int status) const {
        if (status != MPI_SUCCESS) [[unlikely]] {
            ranks_.note(status, "the measured MPI call failed");
        }
    }
    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t all_bytes() const { return bytes_ * static_cast<std::uint64_t>(size_); }
    [[nodiscard]] int next() const { return (rank_ + 1) % size_; }
    [[nodiscard]] int previous() const { return (rank_ + size_ - 1) % size_; }

    /// Expects one message from each rank, in rank order, each from this place of its send buffer.
    void expect_of_all(ExpectedData& expected, std::uint64_t from = 0) const {
        for (std::uint64_t other = 0; other < static_cast<std::uint64_t>(size_); ++other) {
            expected.piece(other * bytes_, bytes_, other, from);
        }
    }

  private:
    Communicator ranks_;
    MPI_Comm comm_ = ranks_.handle();
    std::uint64_t bytes_;
    int rank_;
    int size_;
};

/// The two parts of a call between which a program can compute. Errors as of NetworkCall::call.
class NonblockingCall {
  public:
    virtual ~NonblockingCall() = default;
    virtual void start(CallPlace const&) = 0;
    virtual void wait() = 0;
};

/// A function that registers itself; its name is a value of the option `function`.
class NetworkFunction {
  public:
    virtual ~NetworkFunction() = default;
    [[nodiscard]] virtual FunctionFacts const& facts() const = 0;
    [[nodiscard]] std::string_view name() const { return facts().name; }
    [[nodiscard]] virtual std::unique_ptr<NetworkCall> prepare(CallSetting const&) const = 0;
};

/// Registers a class of calls, which has its facts in `Call::facts`.
template <class Call>
class NetworkFunctionOf final : public NetworkFunction {
  public:
    [[nodiscard]] FunctionFacts const& facts() const override { return Call::facts; }
    [[nodiscard]] std::unique_ptr<NetworkCall> prepare(CallSetting const& setting) const override {
        return std::make_unique<Call>(setting);
    }
};

template <class Call>
using FunctionRegistration = Registration<NetworkFunction, NetworkFunctionOf<Call>>;

}  // namespace weir
