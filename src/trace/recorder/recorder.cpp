#include "trace/recorder/recorder.hpp"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/recorder/children.hpp"
#include "trace/recorder/counts.hpp"
#include "trace/recorder/coverage.hpp"
#include "trace/recorder/handle_table.hpp"
#include "trace/recorder/next_program.hpp"
#include "trace/recorder/open_files.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/system.hpp"

namespace weir::trace {
namespace {

/// Paths without a program's data: the system's own, and internal files of MPI libraries.
constexpr char usual_exclude[] =
    "/proc/:/sys/:/dev/null:/dev/zero:/dev/pts/:/dev/tty:/dev/urandom:/dev/random:/dev/infiniband/:/dev/ipath:/memfd:"
    "/etc/:/usr/bin/:/usr/include/:/usr/lib/:/usr/lib64/:/usr/libexec/:/usr/share/:/usr/local/lib/:/lib/:/lib64/:"
    "/bin/:/sbin/:/run/:/var/lib/:/tmp/ompi.:/tmp/openmpi-sessions:/dev/shm/vader_segment.:/dev/shm/sm_segment.:"
    "/dev/shm/mpich_shar_tmp:/dev/shm/psm:/dev/shm/ucx_shm_";
constexpr int64_t usual_limit = int64_t{4} << 30;

void copy(char* to, size_t room, char const* from) {
    strncpy(to, from == nullptr ? "" : from, room - 1);
    to[room - 1] = 0;
}

/// A number of bytes, with K, M, G or T (or KiB, ...) for powers of 1024; anything else means the default limit.
int64_t bytes_of(char const* text) {
    constexpr char units[] = "KMGT";
    char* rest = nullptr;
    auto const number = strtoll(text, &rest, 10);
    auto const* const unit = rest == text || *rest == 0 ? nullptr : strchr(units, *rest);
    bool const is_whole = unit == nullptr ? *rest == 0 : rest[1] == 0 || strcmp(rest + 1, "iB") == 0;
    auto const shift = unit == nullptr ? 0 : 10 * (unit - units + 1);
    if (rest == text || !is_whole || number < 0 || number > INT64_MAX >> shift) {
        return usual_limit;
    }
    return number << shift;
}

/// The program may change its directory.
void make_absolute(char* path, size_t room) {
    static char from_here[4096];  // called once, before there are threads
    auto const length = system::call(SYS_getcwd, from_here, sizeof from_here);
    auto const used = length <= 0 ? room : static_cast<size_t>(length) - 1;
    if (used + 1 + strlen(path) + 1 > room) {
        path[0] = 0;
        return;
    }
    memmove(path + used + 1, path, strlen(path) + 1);
    memcpy(path, from_here, used);
    path[used] = '/';
}

void drop_last_slashes(char* path) {
    for (auto length = strlen(path); length > 1 && path[length - 1] == '/'; --length) {
        path[length - 1] = 0;
    }
}

bool lies_in(char const* path, char const* directory) {
    auto const length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == 0);
}

}  // namespace

void RecorderSettings::read() {
    copy(directory, sizeof directory, getenv("WEIR_TRACE"));
    if (directory[0] != 0 && directory[0] != '/') {
        make_absolute(directory, sizeof directory);
    }
    drop_last_slashes(directory);
    auto const* const others = getenv("WEIR_TRACE_EXCLUDE");
    exclude.read(others == nullptr ? usual_exclude : others);
    only.read(getenv("WEIR_TRACE_ONLY"));
    auto const* const limit = getenv("WEIR_TRACE_LIMIT");
    process_limit = limit == nullptr ? usual_limit : bytes_of(limit);
}

bool RecorderSettings::wants(char const* path) const {
    if (path[0] != '/' || exclude.begin(path) || lies_in(path, directory)) {
        return false;
    }
    return only.empty() || only.begin(path);
}

KeptDirectory::Files RecorderSettings::wanted_below(char const* folder) const {
    if (exclude.begin(folder) || lies_in(folder, directory)) {
        return KeptDirectory::Files::none;
    }
    auto const length = strlen(folder);
    if (exclude.begin_below(folder, length) || only.begin_below(folder, length) ||
        strncmp(directory, folder, length) == 0) {
        return KeptDirectory::Files::some;
    }
    return only.empty() || only.begin(folder) ? KeptDirectory::Files::all : KeptDirectory::Files::none;
}

constinit thread_local __attribute__((tls_model("initial-exec"))) Thread this_thread;
Process process;
int64_t system::own_bytes[2];
bool system::is_cut_off = false;

namespace {

pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
Scratch last_resort;  ///< if the system is out of memory; texts of two threads may mix there

/// Called while the process has one thread, or under the lock.
void make_files_once(char const* how) {
    forget_lost();
    process.recording = begin_facts(how) || has_counts();
    __atomic_store_n(&process.named, true, __ATOMIC_RELEASE);
}

void parent_goes_on() {
    if (recording()) {
        share_all_positions();
    }
}

}  // namespace

Scratch& scratch() {
    auto& own = this_thread.scratch;
    if (own == nullptr) [[unlikely]] {
        system::KeepErrno const keep;
        own = static_cast<Scratch*>(system::map_memory(sizeof(Scratch)));
        if (own == nullptr) {
            return last_resort;
        }
        announce_thread_end();
    }
    return *own;
}

void release_scratch() {
    if (this_thread.scratch != nullptr) {
        system::unmap(this_thread.scratch, sizeof(Scratch));
        this_thread.scratch = nullptr;
    }
}

void begin_process() {
    if (process.begun) {
        return;
    }
    process.begun = true;
    system::KeepErrno const keep;
    AtWork const at_work;
    process.settings.read();
    pthread_atfork(prepare_fork, parent_goes_on, child_begins);
    if (process.settings.directory[0] == 0) {
        return;
    }
    choose_clock();
    keep_environment();
    begin_streams();
    begin_names();
    make_files_once("start");
}

void make_files() {
    if (__atomic_load_n(&process.named, __ATOMIC_ACQUIRE)) [[likely]] {
        return;
    }
    system::KeepErrno const keep;
    AtWork const at_work;
    system::Lock const guard(start_lock);
    if (!process.named) {
        make_files_once("fork");
    }
}

void prepare_fork() {
    if (recording()) {
        make_files();
        share_byte_counts();
    }
}

void child_begins() {
    LibraryFunction::after_fork();
    if (!process.recording) {
        return;
    }
    AtWork const at_work;
    pthread_mutex_init(&start_lock, nullptr);
    process.forked_by = process.named ? process.id : 0;
    process.forked_in = process.namespace_id;
    process.named = false;
    process.record_bytes = 0;
    begin_byte_counts_of_child();
    forget_streams();
    begin_names();
    forget_all_files();
    HandleTable::forget_all();
    if (system::call(SYS_getppid) == 0) {
        make_files();  // it begins a namespace, where a program that it executes could not name its parent
    }
}

namespace {

template <class Tell>
void end(Tell tell) {
    if (!recording() || !process.named) {
        return;
    }
    system::KeepErrno const keep;
    AtWork const at_work;
    end_streams();
    cut_names(process.prefix);
    report_lost();
    tell();
    release_reserved_facts();
}

}  // namespace

void end_program() {
    end([] {});
}

void end_program_for(char const* next) {
    end([next] {
        report_byte_counts();
        report_next_program(next);
    });
}

void end_process() {
    if (recording() && !process.named) {
        system::KeepErrno const keep;
        AtWork const at_work;
        report_bytes_to_parent();
    }
    end([] {
        look_for_open_queues();
        end_facts(children_left());
        end_counts();
    });
}

namespace {

__attribute__((constructor)) void library_begins() { begin_process(); }

/// After the destructors without a priority, which may still correct records.
__attribute__((destructor(200))) void library_ends() { end_process(); }

}  // namespace

}  // namespace weir::trace
