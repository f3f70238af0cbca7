#include "trace/recorder/recorder.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/files.hpp"
#include "trace/recorder/handles.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/streams.hpp"

namespace weir::trace {

constinit thread_local __attribute__((tls_model("initial-exec"))) Thread this_thread;
Process process;
bool counter_is_steady = false;

namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// Called while the process has one thread, or under the lock.
void make_files_once(char const* how) {
    process.recording = begin_facts(how);
    __atomic_store_n(&process.named, true, __ATOMIC_RELEASE);
}

void parent_goes_on() {
    if (recording()) {
        share_all_positions();
    }
}

bool is_recorders_own(Call const& call) {
    auto const* const interface = call.interface();
    return strcmp(interface, "POSIX") == 0 || strcmp(interface, "STDIO") == 0;
}

/// Looking a function up takes locks of the dynamic linker, which a signal handler must not.
void look_up_early() {
    for (auto* call = __start_weir_calls; call != __stop_weir_calls; ++call) {
        if (is_recorders_own(*call)) {
            call->next<void*>();
        }
    }
}

}  // namespace

void begin_process() {
    if (process.begun) {
        return;
    }
    process.begun = true;
    system::KeepErrno const keep;
    Inside const inside;
    process.settings.read();
    pthread_atfork(nullptr, parent_goes_on, child_begins);
    if (process.settings.directory[0] == 0) {
        return;
    }
    counter_is_steady = has_steady_counter();
    look_up_early();
    begin_streams();
    begin_names();
    make_files_once("start");
}

void make_files() {
    if (__atomic_load_n(&process.named, __ATOMIC_ACQUIRE)) [[likely]] {
        return;
    }
    system::KeepErrno const keep;
    Inside const inside;
    pthread_mutex_lock(&lock);
    if (!process.named) {
        make_files_once("fork");
    }
    pthread_mutex_unlock(&lock);
}

void child_begins() {
    Foreign::after_fork();
    if (!process.recording) {
        return;
    }
    Inside const inside;
    pthread_mutex_init(&lock, nullptr);
    process.named = false;
    process.record_bytes = 0;
    forget_streams();
    begin_names();
    forget_all_files();
    Handles::forget_all();
}

namespace {

void end(void (*tell)()) {
    if (!process.recording || !process.named || this_thread.inside) {
        return;
    }
    system::KeepErrno const keep;
    Inside const inside;
    end_streams();
    cut_names(process.prefix);
    tell();
    give_back_room();
}

}  // namespace

void end_program() { end(tell_lost); }

void end_process() {
    end([] {
        tell_lost();
        end_facts();
    });
}

namespace {

__attribute__((constructor)) void library_begins() { begin_process(); }

__attribute__((destructor)) void library_ends() { end_process(); }

}  // namespace
}  // namespace weir::trace
