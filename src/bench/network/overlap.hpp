#pragma once

#include <functional>
#include <span>

#include "bench/network/network_function.hpp"
#include "core/clock.hpp"

namespace weir {

/// How much of a non-blocking call goes on while the processor computes, as IMB-NBC measures it: the call alone takes
/// `pure_s`; computing of that length, between the call's start and the wait for it, `cpu_s`; all of it together
/// `overlapped_s`. Each is a mean over the calls of a batch, on one rank.
struct OverlapTimes {
    double pure_s = 0;
    double cpu_s = 0;
    double overlapped_s = 0;

    /// What call and computing hide of each other, 0 to 1, as a share of the longer one:
    /// (pure + cpu - overlapped) / max(pure, cpu). So does the program IMB-NBC 2021.11 of the rank whose time is the
    /// greatest; the formula in its guide divides by the lesser. Nothing if no time passed.
    [[nodiscard]] std::optional<double> share() const;
};

/// The times of the rank whose overlapped time is the greatest.
OverlapTimes const& slowest_of(std::span<OverlapTimes const> ranks);

/// Floating-point work of a given length that leaves memory alone. It is a number of operations: what disturbs the
/// processor makes it longer.
class Computing {
  public:
    /// Measures the processor's speed, for about a millisecond. Local.
    explicit Computing(Clock const&);
    void operator()(double time_s) const;

  private:
    double steps_per_s_ = 0;
};

/// A non-blocking call with computing between its two parts, to be timed as any call.
class OverlappedCall final : public NetworkCall {
  public:
    using Compute = std::function<void(double time_s)>;

    /// `parts` are those of `call`, which both outlive this.
    OverlappedCall(CallSetting const&, NetworkCall const& call, NonblockingCall& parts, Clock const&, Compute);

    [[nodiscard]] BufferSizes sizes() const override { return call_.sizes(); }
    void call(CallPlace const&) override;
    void expect(int root, ExpectedData& expected) const override { call_.expect(root, expected); }

    /// From now on, computes so long in each call.
    void begin(double compute_s);
    /// The mean length that the computing really had since then.
    [[nodiscard]] double cpu_s() const { return calls_ > 0 ? cpu_s_ / static_cast<double>(calls_) : 0; }

  private:
    NetworkCall const& call_;
    NonblockingCall& parts_;
    Clock const& clock_;
    Compute compute_;
    double compute_s_ = 0;
    double cpu_s_ = 0;
    std::uint64_t calls_ = 0;
};

}  // namespace weir
