#include "bench/stall_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <random>
#include <vector>

#include "bench/stall_report.hpp"
#include "bench/ticking_thread.hpp"
#include "bench/whereabouts.hpp"
#include "core/clock.hpp"
#include "core/json.hpp"
#include "core/own_file.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr double ticks_a_limit = 8;
constexpr std::uint64_t watching_ranks = 2;  ///< of each node

/// Maps shared memory of that name, which the node's first rank makes; nothing if that fails. Local.
RankProgress* map_board(std::string const& name, std::uint64_t ranks, bool makes_it) {
    auto const bytes = ranks * sizeof(RankProgress);
    Descriptor const memory(shm_open(name.c_str(), O_RDWR | O_CLOEXEC | (makes_it ? O_CREAT | O_EXCL : 0), 0600));
    // Reserved at once: memory that is lacking would end the process when it is written to.
    if (memory.get() < 0 || (makes_it && posix_fallocate(memory.get(), 0, static_cast<off_t>(bytes)) != 0)) {
        return nullptr;
    }
    auto* place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
    return place == MAP_FAILED ? nullptr : static_cast<RankProgress*>(place);
}

/// A board with a slot for each rank of the node; empty on every rank of all nodes if some rank has none. Collective.
std::span<RankProgress> share_board(Communicator const& all, Communicator const& node) {
    auto const name = node.broadcast(fmt::format("/weir-{}-{:08x}", getpid(), std::random_device{}()));
    auto* board = node.is_root() ? map_board(name, node.size(), true) : nullptr;
    if (board != nullptr) {
        for (std::uint64_t i = 0; i < node.size(); ++i) {
            new (board + i) RankProgress;
        }
    }
    node.barrier();
    if (!node.is_root()) {
        board = map_board(name, node.size(), false);
    }
    auto const lacking = all.max(std::uint64_t{board == nullptr ? 1U : 0U}) != 0;
    if (node.is_root()) {
        shm_unlink(name.c_str());
    }
    if (lacking && board != nullptr) {
        munmap(board, node.size() * sizeof(RankProgress));
    }
    return lacking ? std::span<RankProgress>() : std::span(board, node.size());
}

/// Writes a line to standard error in one call, so that it is not torn apart.
void write_line(Json const& line) {
    auto const text = json_text(line) + "\n";
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text.data(), text.size());
}

void ask_where(RankProgress& rank) {
    rank.asked.fetch_add(1, std::memory_order_acq_rel);
    auto const process = rank.process.load();
    syscall(SYS_tgkill, process, process, where_signal);
}

bool has_answered(RankProgress const& rank) { return rank.asked.load() == rank.answered.load(); }

RankSeen see(RankProgress const& rank) {
    RankSeen seen;
    seen.rank = rank.rank.load();
    seen.process = rank.process.load();
    seen.state = process_state(seen.process).value_or('Z');
    seen.phase = rank.phase.get();
    seen.kernel_function = kernel_function(seen.process);
    if (has_answered(rank)) {
        seen.mpi_call = rank.mpi_call.get();
        seen.calls = rank.calls.get();
    }
    return seen;
}

}  // namespace

/// The watching thread of one rank.
class StallWatch::Watcher {
  public:
    Watcher(std::span<RankProgress> ranks, std::uint64_t own, Seconds limit)
        : ranks_(ranks), own_(own), limit_(limit), thread_([this](TickingThread& thread) { watch(thread); }) {}

  private:
    void watch(TickingThread& thread) {
        last_step_s_ = last_said_s_ = first_beat_s_ = clock_.now_s();
        while (thread.pause(Seconds{limit_.value / ticks_a_limit})) {
            auto const now = clock_.now_s();
            ranks_[own_].beats.fetch_add(1);
            if (makes_progress()) {
                last_step_s_ = now;
                told_ = false;
            }
            if (!speaks(now)) {
                continue;
            }
            if (now - last_step_s_ < limit_.value) {
                tell_of_progress(now);
            } else if (!told_) {
                tell_of_stall(now, thread);
            }
        }
    }

    /// The first watching rank that is alive speaks for its node.
    bool speaks(double now) {
        auto const beats = ranks_.front().beats.load();
        if (beats != first_beats_) {
            first_beats_ = beats;
            first_beat_s_ = now;
        }
        constexpr double missed = 3;
        return own_ == 0 || now - first_beat_s_ > missed * limit_.value / ticks_a_limit;
    }

    /// Has any rank of the node made a step since the last call? Bytes that went from or to storage count as well: one
    /// request may take long.
    bool makes_progress() {
        std::uint64_t steps = 0;
        for (auto const& rank : ranks_) {
            steps += rank.steps.load(std::memory_order_relaxed);
        }
        if (std::exchange(steps_, steps) != steps) {
            bytes_.reset();
            return true;
        }
        std::uint64_t bytes = 0;
        for (auto const& rank : ranks_) {
            bytes += storage_bytes(rank.process.load()).value_or(Bytes{}).value;
        }
        auto const before = std::exchange(bytes_, bytes);
        return before && *before != bytes;
    }

    void tell_of_progress(double now) {
        if (now - last_said_s_ >= limit_.value / 2 && last_step_s_ > last_said_s_) {
            last_said_s_ = now;
            write_line({{"schema", 1}, {"kind", "progress"}, {"host", host_name()}});
        }
    }

    void tell_of_stall(double now, TickingThread& thread) {
        for (auto& rank : ranks_) {
            ask_where(rank);
        }
        constexpr double longest_s = 2;
        auto const until = now + std::min(longest_s, limit_.value / 4);
        auto const waits = [&] { return std::any_of(ranks_.begin(), ranks_.end(), std::not_fn(has_answered)); };
        while (waits() && clock_.now_s() < until && thread.pause(Seconds{longest_s / 100})) {
        }
        std::vector<RankSeen> seen(ranks_.size());
        std::transform(ranks_.begin(), ranks_.end(), seen.begin(), see);
        write_line(stall_line(host_name(), now - last_step_s_, seen));
        told_ = true;
    }

    std::span<RankProgress> ranks_;
    std::uint64_t own_;
    Seconds limit_;
    MonotonicClock clock_;
    std::uint64_t steps_ = 0;
    std::optional<std::uint64_t> bytes_;  ///< moved until the last look, while there were no steps
    double last_step_s_ = 0;
    double last_said_s_ = 0;
    bool told_ = false;
    std::uint32_t first_beats_ = 0;
    double first_beat_s_ = 0;
    TickingThread thread_;
};

StallWatch::StallWatch(Communicator const& comm, std::optional<Seconds> limit) {
    if (!limit) {
        return;
    }
    auto const node = comm.node();
    ranks_ = share_board(comm, node);
    if (ranks_.empty()) {
        return;
    }
    limit_ = limit;
    auto& own = ranks_[node.rank()];
    own.rank = comm.rank();
    own.process = getpid();
    show_progress_in(&own);
    node.barrier();
    if (node.rank() < watching_ranks) {
        watcher_ = std::make_unique<Watcher>(ranks_, node.rank(), *limit);
    }
}

StallWatch::~StallWatch() {
    watcher_.reset();
    if (!ranks_.empty()) {
        show_progress_in(nullptr);
        munmap(ranks_.data(), ranks_.size_bytes());
    }
}

}  // namespace weir
