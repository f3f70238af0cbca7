#pragma once

#include <vector>

#include "bench/network/mpi_forms.hpp"
#include "bench/network/network_function.hpp"

namespace weir {

/// Between two ranks: from rank 0 only, or from both.
enum class Ways { one, both };

/// A one-sided call: each rank exposes a window over one of its buffers and reaches into those of others. One call is
/// one epoch, by the chosen synchronisation; the window is made before all calls.
class WindowCall : public NetworkCall {
  public:
    ~WindowCall() override;

    void attach(std::span<std::byte> send, std::span<std::byte> receive) override;
    [[nodiscard]] bool is_timed() const override {
        return synchronisation_ != Synchronisation::lock || !targets_.empty();
    }
    void prepare_check(CallPlace const&) override;
    void finish_check() override;

  protected:
    /// The buffer that ranks expose.
    enum class Exposed { send, receive };

    /// This rank reaches into the windows of `targets`, and `origins` into its own; each rank is named once.
    WindowCall(CallSetting const&, Exposed, std::vector<int> targets, std::vector<int> origins);

    /// One epoch with these transfers, which a rank without targets leaves out. Fence: the transfers, then a fence;
    /// `opens`: a fence before them too. Lock: the transfers, then a flush of each target.
    enum class Opens { no, yes };
    template <class Transfers>
    void epoch(Transfers transfers, Opens opens = Opens::no) {
        begin(opens);
        if (!targets_.empty()) {
            transfers();
        }
        end(opens);
    }

    /// The place of this rank's `data` in its window; the same call's place in a window of another rank.
    [[nodiscard]] MPI_Aint displacement(std::byte const* data) const { return data - base_; }
    [[nodiscard]] MPI_Win window() const { return window_; }

  private:
    void begin(Opens);
    void end(Opens);
    [[nodiscard]] MPI_Group group(std::vector<int> const& ranks) const;

    Exposed exposed_;
    Synchronisation synchronisation_;
    std::vector<int> targets_;
    std::vector<int> origins_;
    MPI_Group to_ = MPI_GROUP_NULL;
    MPI_Group from_ = MPI_GROUP_NULL;
    MPI_Win window_ = MPI_WIN_NULL;
    std::byte* base_ = nullptr;
};

/// One between two ranks: rank 0 reaches into the window of rank 1, or both into each other's. A message of X bytes
/// then is in the receive buffer of each rank that is reached, if ranks expose that, or of each that reaches.
class PairWindowCall : public WindowCall {
  public:
    [[nodiscard]] BufferSizes sizes() const override { return {bytes(), bytes()}; }
    void expect(int root, ExpectedData& expected) const override;

  protected:
    PairWindowCall(CallSetting const&, Ways, Exposed);

    [[nodiscard]] MessageType const& message() const { return message_; }

  private:
    bool receives_;
    MessageType message_{bytes()};
};

}  // namespace weir
