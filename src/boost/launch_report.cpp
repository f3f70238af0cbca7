#include "boost/launch_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "boost/loaded_libraries.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/own_file.hpp"

namespace weir::boost {
namespace {

constexpr std::array keys{"taken", "quicker_by_mpi", "empty", "not_understood", "failed", "other_kinds", "as_asked"};

std::string text_of(Launch const& launch) {
    auto const& all = launch.all;
    auto calls = Json::object();
    for (std::size_t i = 0; i < all.calls.size(); ++i) {
        calls[keys[i]] = all.calls[i];
    }
    auto const or_null = [](std::string const& text) { return text.empty() ? Json() : Json(text); };
    Json const whole{
        {"schema", 1},
        {"ranks", launch.other_mpi.empty() ? Json(launch.ranks) : Json()},
        {"calls", calls},
        {"pieces", all.pieces},
        {"requests", all.requests},
        {"taken_s", all.taken_s / launch.ranks},
        {"left_s", all.left_s / launch.ranks},
        {"around_s", all.around_s / launch.ranks},
        {"independent_calls", all.independent},
        {"independent_bytes", all.independent_bytes},
        {"independent_s", all.independent_s / launch.ranks},
        {"independent_ranks", launch.alone},
        {"hdf5", launch.hdf5},
        {"pnetcdf", or_null(launch.pnetcdf)},
        {"pnetcdf_has_own_driver", has_own_driver(launch.pnetcdf)},
        {"other_mpi", or_null(launch.other_mpi)},
    };
    return json_text(whole) + "\n";
}

/// No other launch has it: by node, process and time.
std::string name_of_launch() {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    auto const now = std::chrono::system_clock::now().time_since_epoch();
    auto const ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    return fmt::format("{}-{}-{}.json", host.data(), ::getpid(), ns);
}

/// Why nothing is written into an open folder; else empty.
std::string why_not_into(int folder) {
    struct stat facts {};
    if (folder < 0 || ::fstat(folder, &facts) != 0) {
        return errno == ELOOP || errno == ENOTDIR ? "it is no folder" : std::strerror(errno);
    }
    return facts.st_uid == ::geteuid() ? "" : fmt::format("it belongs to user {}", facts.st_uid);
}

/// Into the folder that is open, whatever becomes of its name.
std::string write_into(Descriptor const& folder, Launch const& launch) {
    auto const within = std::filesystem::path(fmt::format("/proc/self/fd/{}", folder.get()));
    auto const name = name_of_launch();
    auto const draft = within / (".weir-" + name);
    try {
        write_new_file(draft, text_of(launch));
        return rename_to_new(draft, within / name) ? "" : "its name is taken";
    } catch (Error const& error) {
        return error.diagnosis().reason;
    }
}

}  // namespace

void keep(Launch const& launch) {
    auto const* const named = std::getenv("WEIR_BOOST_REPORT");
    if (named == nullptr || *named == '\0') {
        return;
    }
    Descriptor const folder(::open(named, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    auto why = why_not_into(folder.get());
    why = why.empty() ? write_into(folder, launch) : why;
    if (!why.empty()) {
        std::fputs(fmt::format("weir boost: cannot write into '{}' ({})\n", named, why).c_str(), stderr);
    }
}

}  // namespace weir::boost
