#include "trace/recorder/process_facts.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "trace/recorder/coverage.hpp"
#include "trace/recorder/data_memory.hpp"
#include "trace/recorder/own_files.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

/// Bytes of the UTF-8 character that begins here; 0 if none does.
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

/// Text as the inside of a JSON string; truncated if there is no room.
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

/// The command line, words separated by blanks.
void read_command(char* text, size_t room) {
    auto& raw = scratch().raw;
    auto const length = system::read_file("/proc/self/cmdline", raw, sizeof raw - 1);
    auto const end = length > 0 ? static_cast<size_t>(length) - 1 : 0;
    for (size_t i = 0; i < end; ++i) {
        raw[i] = raw[i] == 0 ? ' ' : raw[i];
    }
    quote(text, room, raw, end);
}

template <size_t count>
char const* first_variable(char const* const (&names)[count]) {
    char const* value = nullptr;
    for (size_t i = 0; i < count && value == nullptr; ++i) {
        value = getenv(names[i]);
    }
    return value;
}

/// The rank that the launcher has assigned to this process, before MPI runs; -1 if none.
int64_t launched_rank() {
    static char const* const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    auto const* const value = first_variable(names);
    return value == nullptr ? -1 : strtoll(value, nullptr, 10);
}

/// Distinguishes jobs of one launch, as MPI_Comm_spawn starts them, each with ranks from 0 on; 0: unknown.
int64_t launched_job() {
    static char const* const names[] = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_SPAWNED"};
    auto const* const value = first_variable(names);
    return value == nullptr ? 0 : static_cast<int64_t>(hash_text(value) >> 1);
}

/// In this thread's scratch buffers.
char const* path_of_facts() {
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.process", process.prefix);
    return path;
}

constexpr int64_t first_reserve = 4096;  ///< most processes have few facts
constexpr int64_t further_reserve = 16384;
constexpr int64_t longest_footer = 2048;
int64_t facts_bytes = 0;     ///< in the file
int64_t reserved_bytes = 0;  ///< allocated for it on disk

/// So that the footer fits even if the disk is full by then.
void reserve_footer(int file) {
    constexpr int keep_size = 1;
    auto const used = __atomic_load_n(&facts_bytes, __ATOMIC_RELAXED);
    auto const before = __atomic_load_n(&reserved_bytes, __ATOMIC_RELAXED);
    if (used + longest_footer <= before) {
        return;
    }
    auto const bytes = used + longest_footer <= first_reserve ? first_reserve : used + further_reserve;
    if (system::may_reach(bytes)) {
        system::call(SYS_fallocate, file, keep_size, 0, bytes);
    }
    __atomic_store_n(&reserved_bytes, bytes, __ATOMIC_RELAXED);  // refused, it is not asked for again
}

/// A line with a path as its first value, and the values after it.
void append_path(char const* key, char const* path, char const* rest) {
    auto& line = scratch().line;
    auto& quoted = scratch().command;
    quote(quoted, sizeof quoted, path, strlen(path));
    append_fact(line, snprintf(line, sizeof line, "{\"%s\":\"%s\"%s}\n", key, quoted, rest));
}

/// The number of its process namespace, and its number in /proc, which may have been mounted in another one.
void learn_own_numbers() {
    char link[64];
    auto const read_number = [&](char const* path, char before) {
        auto const length = system::readlink(path, link, sizeof link - 1);
        link[length > 0 ? length : 0] = 0;
        auto const* const digits = before == 0 ? link : strchr(link, before);
        return digits == nullptr ? 0 : strtoull(digits + (before == 0 ? 0 : 1), nullptr, 10);
    };
    process.number_in_proc = static_cast<uint32_t>(read_number("/proc/self", 0));
    process.namespace_id = read_number("/proc/self/ns/pid", '[');
}

void append_numbers(char const* one, int64_t first, char const* other, int64_t second) {
    char line[256];
    append_fact(line, snprintf(line, sizeof line, "{\"%s\":%lld,\"%s\":%lld}\n", one, static_cast<long long>(first),
                               other, static_cast<long long>(second)));
}

char const* const queue_kinds[] = {"io_uring", "libaio"};
uint32_t misplaced_by;                                             ///< process that has reported them
uint32_t reported_by[sizeof queue_kinds / sizeof queue_kinds[0]];  ///< process: a child reports its own

/// The first line. Nothing here asks for the process's own number.
bool write_first_facts(char const* how, uint32_t parent, uint64_t parents_namespace, utsname const& host) {
    auto& command = scratch().command;
    read_command(command, sizeof command);
    ByteCounts before;  // a child of fork has moved nothing yet
    if (strcmp(how, "start") == 0) {
        ask_kernel_byte_counts(before);
    }
    auto& line = scratch().line;
    auto const length = snprintf(
        line, sizeof line,
        "{\"weir_trace\":1,\"how\":\"%s\",\"process\":%u,\"parent\":%u,\"in_proc\":%u,\"namespace\":%llu,"
        "\"parents_namespace\":%llu,\"host\":\"%s\",\"rank\":%lld,"
        "\"job\":%lld,\"command\":\"%s\","
        "\"clock\":\"%s\",\"real_ns\":%lld,\"monotonic_ns\":%lld,\"kernel_read_before\":%lld,"
        "\"kernel_written_before\":%lld}\n",
        how, process.id, parent, process.number_in_proc, static_cast<unsigned long long>(process.namespace_id),
        static_cast<unsigned long long>(parents_namespace), host.nodename, static_cast<long long>(launched_rank()),
        static_cast<long long>(launched_job()), command, counter_is_steady ? "counter" : "monotonic",
        static_cast<long long>(nanoseconds(CLOCK_REALTIME)), static_cast<long long>(nanoseconds(CLOCK_MONOTONIC)),
        static_cast<long long>(before.read), static_cast<long long>(before.written));
    return append_fact(line, length);
}

/// A table of names, even an empty one, is what a process does not have that was killed here.
void mark_facts_missing() {
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.names", process.prefix);
    with_own_file(path, O_WRONLY | O_CREAT, [](int) {});
}

}  // namespace

bool begin_facts(char const* how) {
    facts_bytes = 0;
    reserved_bytes = 0;
    process.id = static_cast<uint32_t>(system::call(SYS_getpid));
    learn_own_numbers();
    if (strcmp(how, "fork") == 0) {
        posix_memory.forget();
        mpiio_memory.forget();
    }
    bool const forked = strcmp(how, "fork") == 0 && process.forked_by != 0;
    auto const parent = forked ? process.forked_by : static_cast<uint32_t>(system::call(SYS_getppid));
    auto const parents_namespace = forked ? process.forked_in : process.namespace_id;
    utsname host{};
    uname(&host);
    // Process numbers are reused; the time makes the name unique.
    snprintf(process.prefix, sizeof process.prefix, "%s/%s-%u-%llx", process.settings.directory, host.nodename,
             process.id, static_cast<unsigned long long>(nanoseconds(CLOCK_REALTIME)));
    bool written = false;
    with_free_descriptor([&] { written = write_first_facts(how, parent, parents_namespace, host); });
    written ? void() : mark_facts_missing();
    return written;
}

bool append_fact(char const* lines, int length) {
    ssize_t written = -1;
    with_own_file(path_of_facts(), O_WRONLY | O_CREAT | O_APPEND, [&](int file) {
        auto const after = __atomic_add_fetch(&facts_bytes, length, __ATOMIC_RELAXED);
        written = system::may_reach(after) ? system::write(file, lines, static_cast<size_t>(length)) : -1;
        if (written == length) {
            reserve_footer(file);
        } else {
            __atomic_sub_fetch(&facts_bytes, length - (written > 0 ? written : 0), __ATOMIC_RELAXED);
        }
    });
    return written == length;
}

void add_fact(char const* key, int64_t value) {
    char line[256];
    make_files();
    AtWork const at_work;
    append_fact(line, snprintf(line, sizeof line, "{\"%s\":%lld}\n", key, static_cast<long long>(value)));
}

void report_byte_counts() {
    ByteCounts kernel;
    if (ask_kernel_byte_counts(kernel)) {
        auto const seen = bytes_seen();
        append_numbers("kernel_read", kernel.read, "kernel_written", kernel.written);
        append_numbers("seen_read", seen.read, "seen_written", seen.written);
    }
}

void report_next_program(char const* path) { append_path("becomes", path, ""); }

void report_unrecorded(char const* program, char const* reason) {
    char rest[32];
    snprintf(rest, sizeof rest, ",\"why\":\"%s\"", reason);
    append_path("unrecorded", program, rest);
}

void report_queue(char const* kind) {
    for (size_t i = 0; i < sizeof queue_kinds / sizeof queue_kinds[0]; ++i) {
        if (process.recording && strcmp(queue_kinds[i], kind) == 0) {
            make_files();
            if (__atomic_exchange_n(&reported_by[i], process.id, __ATOMIC_RELAXED) != process.id) {
                system::KeepErrno const keep;
                add_fact(kind, 1);
            }
        }
    }
}

void report_if_queue(char const* link) {
    if (strcmp(link, "anon_inode:[io_uring]") == 0) {
        report_queue("io_uring");
    }
}

namespace {

/// The kernel counts these lines too, so their length is fixed and added.
void write_footer(int64_t children_left) {
    auto& line = scratch().line;
    ByteCounts kernel;
    bool const known = ask_kernel_byte_counts(kernel);
    auto const seen = bytes_seen();
    for (int length = 0;;) {
        auto const before = length;
        auto const counts = [&](int at) {
            constexpr char form[] =
                "\"kernel_read\":%20lld,\"kernel_written\":%20lld,\"seen_read\":%20lld,\"seen_written\":%20lld,";
            return !known
                       ? 0
                       : snprintf(line + at, sizeof line - static_cast<size_t>(at), form,
                                  static_cast<long long>(kernel.read), static_cast<long long>(kernel.written + before),
                                  static_cast<long long>(seen.read), static_cast<long long>(seen.written + before));
        };
        length = snprintf(line, sizeof line, "{\"children_left\":%lld}\n{", static_cast<long long>(children_left));
        length += counts(length);
        length +=
            snprintf(line + length, sizeof line - static_cast<size_t>(length),
                     "\"memory_posix\":%lld,\"in_page_posix\":%lld,\"memory_mpiio\":%lld,\"in_page_mpiio\":%lld,",
                     static_cast<long long>(posix_memory.bytes()), static_cast<long long>(posix_memory.in_page()),
                     static_cast<long long>(mpiio_memory.bytes()), static_cast<long long>(mpiio_memory.in_page()));
        length += snprintf(line + length, sizeof line - static_cast<size_t>(length),
                           "\"streams\":%u,\"end_real_ns\":%lld,\"end_monotonic_ns\":%lld}\n", streams_of_process(),
                           static_cast<long long>(nanoseconds(CLOCK_REALTIME)),
                           static_cast<long long>(nanoseconds(CLOCK_MONOTONIC)));
        if (length == before) {
            append_fact(line, length);
            return;
        }
    }
}

}  // namespace

void end_facts(int64_t children_left) {
    with_free_descriptor([&] { write_footer(children_left); });
}

void report_misplaced_appends() {
    system::KeepErrno const keep;
    make_files();  // before: in the child of a fork it sets the process's number
    if (__atomic_exchange_n(&misplaced_by, process.id, __ATOMIC_RELAXED) != process.id) {
        add_fact("misplaced_appends", 1);
    }
}

void report_killed(int64_t child, ByteCounts const& moved) {
    char line[256];
    append_fact(line, snprintf(line, sizeof line, "{\"killed\":%lld,\"killed_read\":%lld,\"killed_written\":%lld}\n",
                               static_cast<long long>(child), static_cast<long long>(moved.read),
                               static_cast<long long>(moved.written)));
}

void report_child(char const* what, int64_t child) {
    char line[64];
    append_fact(line, snprintf(line, sizeof line, "{\"%s\":%lld}\n", what, static_cast<long long>(child)));
}

void release_reserved_facts() {
    if (reserved_bytes > first_reserve) {
        with_own_file(path_of_facts(), O_WRONLY,
                      [](int file) { system::call(SYS_ftruncate, file, system::size(file)); });
        reserved_bytes = 0;
    }
}

}  // namespace weir::trace
