#include "bench/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "bench/case_file.hpp"

namespace weir {
namespace {

constexpr double terminal_pause_s = 0.1;
constexpr double log_pause_s = 10;

/// The part of a line that fits one terminal row: a second row would not be overwritten.
std::string fitting(std::string line) {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && line.size() >= size.ws_col) {
        line.resize(size.ws_col - 1U);
    }
    return line;
}

}  // namespace

std::string to_line(Standing const& now) {
    return fmt::format("step {} of {}{}{}", now.step, now.last_step, now.words.empty() ? "" : ", ", now.words);
}

std::string spell_rate(double cells_per_s) {
    return cells_per_s >= 1e6 ? fmt::format("{:.3g} million cells/s", cells_per_s / 1e6)
                              : fmt::format("{:.3g} thousand cells/s", cells_per_s / 1e3);
}

void Progress::tell(Standing const& now, bool has_dumped) {
    show(to_line(now), has_dumped ? ", dumped" : "", has_dumped || now.step == now.last_step);
}

void Progress::tell(std::string const& line) { show(line, "", false); }

void Progress::tell_at_once(std::string const& line) { show(line, "", true); }

/// Where enough time has passed since the last one, or it is due.
void Progress::show(std::string const& line, std::string_view more_in_log, bool is_due) {
    auto const at_s = clock_.now_s();
    auto const pause_s = at_s - said_s_;
    if (where_ == Where::terminal && (is_due || pause_s >= terminal_pause_s)) {
        fmt::print(stderr, "\r{}\x1b[K", fitting(line));
        std::fflush(stderr);
        open_ = true;
    } else if (where_ == Where::log && (is_due || pause_s >= log_pause_s)) {
        fmt::print(stderr, "weir-core: {}{}\n", line, more_in_log);
    } else {
        return;
    }
    said_s_ = at_s;
}

void Progress::end() {
    if (open_) {
        fmt::print(stderr, "\n");
        open_ = false;
    }
}

Progress::Where place_for_progress(JobContext const& context) {
    if (!context.comm.is_root()) {
        return Progress::Where::nowhere;
    }
    if (::isatty(STDERR_FILENO) != 0) {
        return Progress::Where::terminal;
    }
    return context.case_id == command_line_case ? Progress::Where::log : Progress::Where::nowhere;
}

}  // namespace weir
