#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

/// A short text that one thread writes and others, also of other processes, may read. While it is written they may get
/// parts of two texts. Longer texts are cut.
template <std::size_t most>
class SharedText {
  public:
    void set(std::string_view text) noexcept {
        auto const length = text.size() < most ? text.size() : most;
        for (std::size_t i = 0; i < length; ++i) {
            letters_[i].store(text[i], std::memory_order_relaxed);
        }
        length_.store(static_cast<std::uint32_t>(length), std::memory_order_release);
    }

    [[nodiscard]] std::string get() const {
        std::string text(length_.load(std::memory_order_acquire), ' ');
        for (std::size_t i = 0; i < text.size(); ++i) {
            text[i] = letters_[i].load(std::memory_order_relaxed);
        }
        return text;
    }

  private:
    std::atomic<std::uint32_t> length_{0};
    std::array<std::atomic<char>, most> letters_{};
};

/// What a rank lets the others of its node know: whether it makes progress, and, if asked, where it is.
struct alignas(128) RankProgress {
    std::atomic<std::uint64_t> steps{0};  ///< in what it does; only that it changes means anything
    std::atomic<std::uint64_t> rank{0};
    std::atomic<std::int32_t> process{0};
    std::atomic<std::uint32_t> beats{0};  ///< of its watching thread, if it has one
    SharedText<48> phase;

    std::atomic<std::uint32_t> asked{0};     ///< how often it was asked where it is
    std::atomic<std::uint32_t> answered{0};  ///< the last of these that it answered
    SharedText<40> mpi_call;                 ///< the MPI function that it is in; empty: none
    SharedText<240> calls;                   ///< the innermost functions that have a name, one a line
};

/// This process's; never null.
extern RankProgress* rank_progress;

/// Tells that something was done: a request, a message, a part of a computation. Long loops call it at least every few
/// seconds, most of them by throw_if_interrupted(). Costs a load, an addition and a store. Local, like all here.
inline void note_step() noexcept {
    auto& steps = rank_progress->steps;
    steps.store(steps.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// Names the phase that begins; empty: none.
void note_phase(std::string_view name) noexcept;

}  // namespace weir
