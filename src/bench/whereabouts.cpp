#include "bench/whereabouts.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <span>

namespace weir {
namespace {

constexpr std::size_t most_frames = 64;
constexpr std::size_t most_named = 3;

/// A list of lines in a fixed place: a signal handler must not allocate.
class Lines {
  public:
    void add(std::string_view line) {
        if (used_ + line.size() + 1 < text_.size()) {
            used_ += line.copy(text_.data() + used_, line.size());
            text_[used_++] = '\n';
        }
    }
    [[nodiscard]] std::string_view text() const { return {text_.data(), used_}; }

  private:
    std::array<char, 240> text_{};
    std::size_t used_ = 0;
};

std::string_view function_at(void* address) {
    Dl_info found{};
    return dladdr(address, &found) != 0 && found.dli_sname != nullptr ? found.dli_sname : "";
}

/// The name of an MPI function, without the P of its profiling form; empty for another function's.
std::string_view mpi_name(std::string_view function) {
    if (function.starts_with("PMPI_")) {
        function.remove_prefix(1);
    }
    return function.starts_with("MPI_") ? function : "";
}

/// Writes the interrupted function and its callers. Formally, neither call here is allowed in a signal handler: this
/// one runs only in a launch that is about to be ended.
void write_where(std::span<void* const> frames) {
    Lines named;
    std::string_view mpi_call;
    std::size_t count = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        // Behind the interrupted one stand return addresses, which may lie in the next function already.
        auto const function = function_at(static_cast<char*>(frames[i]) - (i == 0 ? 0 : 1));
        if (function.empty()) {
            continue;
        }
        if (count++ < most_named || is_file_call(function)) {
            named.add(function);
        }
        if (auto const name = mpi_name(function); !name.empty()) {
            mpi_call = name;  // the outermost counts
        }
    }
    rank_progress->mpi_call.set(mpi_call);
    rank_progress->calls.set(named.text());
}

void answer(int /*signal*/) {
    auto const error_number = errno;
    auto const question = rank_progress->asked.load(std::memory_order_acquire);
    std::array<void*, most_frames> frames{};
    auto const count = static_cast<std::size_t>(backtrace(frames.data(), most_frames));
    constexpr std::size_t own = 2;  // this function, and what the kernel returns to after it
    write_where(std::span(frames).subspan(std::min(own, count), count - std::min(own, count)));
    rank_progress->answered.store(question, std::memory_order_release);
    errno = error_number;
}

}  // namespace

int const where_signal = SIGURG;

void show_progress_in(RankProgress* place) {
    static auto* const own = rank_progress;
    rank_progress = place != nullptr ? place : own;
    // The first call loads a library, which must not happen in the handler.
    std::array<void*, 1> frame{};
    backtrace(frame.data(), 1);
    struct sigaction action {};
    action.sa_handler = place != nullptr ? answer : SIG_DFL;
    action.sa_flags = SA_RESTART;
    sigaction(where_signal, &action, nullptr);
}

bool is_file_call(std::string_view function) {
    // Not read, write, readv, writev: transports of MPI use them too.
    static constexpr std::array<std::string_view, 16> calls{
        "pread", "pwrite", "preadv",          "pwritev", "fsync",  "fdatasync", "ftruncate", "fallocate",
        "open",  "openat", "posix_fallocate", "rename",  "unlink", "fcntl",     "stat",      "fstat"};
    while (function.starts_with('_')) {
        function.remove_prefix(1);
    }
    if (function.starts_with("libc_")) {
        function.remove_prefix(5);
    }
    if (function.ends_with("64")) {
        function.remove_suffix(2);
    }
    return std::find(calls.begin(), calls.end(), function) != calls.end();
}

}  // namespace weir
