#include "trace/recorder/process_facts.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "trace/recorder/apart.hpp"
#include "trace/recorder/counts.hpp"
#include "trace/recorder/moved.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

constexpr uint32_t most_calls = 2048;

/// What is counted when it is no longer recorded.
struct Lost {
    uint64_t calls;
    uint64_t bytes;
    uint64_t ticks;
};
Lost lost[most_calls];

/// Bytes of the UTF-8 character that begins here; 0 where none does.
size_t character(char const* text, size_t left) {
    auto const first = static_cast<unsigned char>(text[0]);
    size_t const bytes = first < 0x80   ? 1
                         : first < 0xC2 ? 0
                         : first < 0xE0 ? 2
                         : first < 0xF0 ? 3
                         : first < 0xF5 ? 4
                                        : 0;
    for (size_t i = 1; i < bytes; ++i) {
        if (i >= left || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return bytes;
}

/// Text as the inside of a JSON string; cut off where there is no room.
void quote(char* to, size_t room, char const* from, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length && n + 7 < room;) {
        auto const bytes = character(from + i, length - i);
        auto const c = static_cast<unsigned char>(from[i]);
        if (bytes == 0 || c < 0x20) {
            n += static_cast<size_t>(snprintf(to + n, room - n, bytes == 0 ? "?" : "\\u%04x", c));
        } else {
            if (c == '"' || c == '\\') {
                to[n++] = '\\';
            }
            memcpy(to + n, from + i, bytes);
            n += bytes;
        }
        i += bytes == 0 ? 1 : bytes;
    }
    to[n] = 0;
}

/// The command line, its words separated by blanks.
void read_command(char* text, size_t room) {
    auto& raw = scratch().raw;
    auto const length = system::read_file("/proc/self/cmdline", raw, sizeof raw - 1);
    auto const end = length > 0 ? static_cast<size_t>(length) - 1 : 0;
    for (size_t i = 0; i < end; ++i) {
        raw[i] = raw[i] == 0 ? ' ' : raw[i];
    }
    quote(text, room, raw, end);
}

/// The rank that the launcher has given to this process, before MPI runs; -1 where there is none.
int64_t launched_rank() {
    static char const* const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (auto const* name : names) {
        if (auto const* value = getenv(name)) {
            return strtoll(value, nullptr, 10);
        }
    }
    return -1;
}

/// Tells jobs of one launch apart, as MPI_Comm_spawn starts them, each with ranks from 0 on; 0: it is not known.
int64_t launched_job() {
    static char const* const names[] = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_SPAWNED"};
    for (auto const* name : names) {
        if (auto const* value = getenv(name)) {
            uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
            for (; *value != 0; ++value) {
                hash = (hash ^ static_cast<unsigned char>(*value)) * 0x100000001B3;
            }
            return static_cast<int64_t>(hash >> 1);
        }
    }
    return 0;
}

/// One write, so that a line is whole or not there.
bool append(char const* lines, int length) {
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.process", process.prefix);
    ssize_t written = -1;
    apart([&] {
        auto const file = system::open(path, O_WRONLY | O_CREAT | O_APPEND);
        if (file >= 0) {
            bool const fits = system::may_reach(system::size(file) + length);
            written = fits ? system::write(file, lines, static_cast<size_t>(length)) : -1;
            system::close(file);
        }
    });
    return written == length;
}

/// So that the footer finds room on a disk that is full by then.
void reserve_footer() {
    constexpr int keep_size = 1;
    constexpr int64_t bytes = 16384;
    if (!system::may_reach(bytes)) {
        return;
    }
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.process", process.prefix);
    apart([&] {
        auto const file = system::open(path, O_WRONLY);
        if (file >= 0) {
            system::call(SYS_fallocate, file, keep_size, 0, bytes);
            system::close(file);
        }
    });
}

void tell_bytes(char const* read, int64_t bytes_read, char const* written, int64_t bytes_written) {
    char line[256];
    append(line, snprintf(line, sizeof line, "{\"%s\":%lld,\"%s\":%lld}\n", read, static_cast<long long>(bytes_read),
                          written, static_cast<long long>(bytes_written)));
}

}  // namespace

bool begin_facts(char const* how) {
    process.id = static_cast<uint32_t>(system::call(SYS_getpid));
    utsname host{};
    uname(&host);
    // A process number comes again after a while; the time makes the name unique.
    snprintf(process.prefix, sizeof process.prefix, "%s/%s-%u-%llx", process.settings.directory, host.nodename,
             process.id, static_cast<unsigned long long>(nanoseconds(CLOCK_REALTIME)));
    memset(lost, 0, sizeof lost);
    auto& command = scratch().command;
    read_command(command, sizeof command);
    MovedBytes before;  // a child of fork has moved nothing yet
    if (strcmp(how, "start") == 0) {
        ask_kernel(before);
    }
    auto& line = scratch().line;
    auto const length =
        snprintf(line, sizeof line,
                 "{\"weir_trace\":1,\"how\":\"%s\",\"process\":%u,\"parent\":%u,\"host\":\"%s\",\"rank\":%lld,\"job\":%"
                 "lld,\"command\":\"%"
                 "s\","
                 "\"clock\":\"%s\",\"real_ns\":%lld,\"monotonic_ns\":%lld,\"kernel_read_before\":%lld,"
                 "\"kernel_written_before\":%lld}\n",
                 how, process.id, static_cast<unsigned>(system::call(SYS_getppid)), host.nodename,
                 static_cast<long long>(launched_rank()), static_cast<long long>(launched_job()), command,
                 counter_is_steady ? "counter" : "monotonic", static_cast<long long>(nanoseconds(CLOCK_REALTIME)),
                 static_cast<long long>(nanoseconds(CLOCK_MONOTONIC)), static_cast<long long>(before.read),
                 static_cast<long long>(before.written));
    if (!append(line, length)) {
        return false;
    }
    reserve_footer();
    return true;
}

void add_fact(char const* key, int64_t value) {
    char line[256];
    make_files();
    Inside const inside;
    append(line, snprintf(line, sizeof line, "{\"%s\":%lld}\n", key, static_cast<long long>(value)));
}

void tell_lost() {
    char line[512];
    for (auto const& call : AllCalls{}) {
        auto& l = lost[call.id() % most_calls];
        if (l.calls > 0) {
            append(line,
                   snprintf(line, sizeof line, "{\"lost\":\"%s %s\",\"calls\":%llu,\"bytes\":%llu,\"ticks\":%llu}\n",
                            call.interface(), call.name(), static_cast<unsigned long long>(l.calls),
                            static_cast<unsigned long long>(l.bytes), static_cast<unsigned long long>(l.ticks)));
            l = {};
        }
    }
}

void tell_moved() {
    MovedBytes kernel;
    if (ask_kernel(kernel)) {
        auto const seen = moved_so_far();
        tell_bytes("kernel_read", kernel.read, "kernel_written", kernel.written);
        tell_bytes("seen_read", seen.read, "seen_written", seen.written);
    }
}

void tell_next_program(char const* path) {
    auto& line = scratch().line;
    auto& quoted = scratch().command;
    quote(quoted, sizeof quoted, path, strlen(path));
    append(line, snprintf(line, sizeof line, "{\"becomes\":\"%s\"}\n", quoted));
}

void tell_unrecorded(char const* program, char const* reason) {
    auto& line = scratch().line;
    auto& quoted = scratch().command;
    quote(quoted, sizeof quoted, program, strlen(program));
    append(line, snprintf(line, sizeof line, "{\"unrecorded\":\"%s\",\"why\":\"%s\"}\n", quoted, reason));
}

void end_facts() {
    char line[512];
    append(line, snprintf(line, sizeof line, "{\"end_real_ns\":%lld,\"end_monotonic_ns\":%lld}\n",
                          static_cast<long long>(nanoseconds(CLOCK_REALTIME)),
                          static_cast<long long>(nanoseconds(CLOCK_MONOTONIC))));
}

void give_back_room() {
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.process", process.prefix);
    apart([&] {
        auto const file = system::open(path, O_WRONLY);
        if (file >= 0) {
            system::call(SYS_ftruncate, file, system::size(file));
            system::close(file);
        }
    });
}

void count_lost(Call const& call, int64_t result, uint64_t ticks) {
    bool const moves = strcmp(call.kind(), "read") == 0 || strcmp(call.kind(), "write") == 0;
    auto const bytes = moves && result > 0 ? static_cast<uint64_t>(result) : 0;
    if (has_counts()) {
        count_in_file(call, bytes, ticks);
        return;
    }
    auto& l = lost[call.id() % most_calls];
    __atomic_fetch_add(&l.calls, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&l.bytes, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&l.ticks, ticks, __ATOMIC_RELAXED);
}

}  // namespace weir::trace
