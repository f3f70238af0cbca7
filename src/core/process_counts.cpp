#include "core/process_counts.hpp"

#include <sys/resource.h>

#include "core/proc.hpp"
#include "core/text_file.hpp"

namespace weir {
namespace {

double seconds(timeval const& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

}  // namespace

ProcessCounts ProcessCounts::since(ProcessCounts const& before) const {
    return {read_calls - before.read_calls,
            write_calls - before.write_calls,
            read_call_bytes - before.read_call_bytes,
            write_call_bytes - before.write_call_bytes,
            voluntary_switches - before.voluntary_switches,
            involuntary_switches - before.involuntary_switches,
            user_s - before.user_s,
            system_s - before.system_s};
}

void ProcessCounts::add(ProcessCounts const& other) {
    read_calls += other.read_calls;
    write_calls += other.write_calls;
    read_call_bytes += other.read_call_bytes;
    write_call_bytes += other.write_call_bytes;
    voluntary_switches += other.voluntary_switches;
    involuntary_switches += other.involuntary_switches;
    user_s += other.user_s;
    system_s += other.system_s;
}

std::optional<ProcessCounts> process_counts() {
    auto const text = read_text_file("/proc/self/io");
    rusage usage{};
    if (!text || getrusage(RUSAGE_SELF, &usage) != 0) {
        return {};
    }
    auto const calls_read = number_of_line(*text, "syscr");
    auto const calls_written = number_of_line(*text, "syscw");
    auto const bytes_read = number_of_line(*text, "rchar");
    auto const bytes_written = number_of_line(*text, "wchar");
    if (!calls_read || !calls_written || !bytes_read || !bytes_written) {
        return {};
    }
    return ProcessCounts{*calls_read,
                         *calls_written,
                         *bytes_read,
                         *bytes_written,
                         static_cast<std::uint64_t>(usage.ru_nvcsw),
                         static_cast<std::uint64_t>(usage.ru_nivcsw),
                         seconds(usage.ru_utime),
                         seconds(usage.ru_stime)};
}

}  // namespace weir
