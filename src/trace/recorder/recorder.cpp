#include "trace/recorder/recorder.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/counts.hpp"
#include "trace/recorder/coverage.hpp"
#include "trace/recorder/handle_table.hpp"
#include "trace/recorder/next_program.hpp"
#include "trace/recorder/open_files.hpp"
#include "trace/recorder/process_facts.hpp"

namespace weir::trace {

constinit thread_local __attribute__((tls_model("initial-exec"))) Thread this_thread;
Process process;
int64_t system::own_bytes[2];
bool system::is_cut_off = false;

namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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

bool is_recorders_own(Call const& call) {
    auto const* const interface = call.interface();
    return strcmp(interface, "POSIX") == 0 || strcmp(interface, "STDIO") == 0;
}

/// Looking a function up takes locks of the dynamic linker, which a signal handler must not do.
void look_up_early() {
    for (auto* call = __start_weir_calls; call != __stop_weir_calls; ++call) {
        if (is_recorders_own(*call)) {
            call->next<void*>();
        }
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
    pthread_atfork(nullptr, parent_goes_on, child_begins);
    if (process.settings.directory[0] == 0) {
        return;
    }
    choose_clock();
    look_up_early();
    begin_byte_counts();
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
    system::Lock const guard(lock);
    if (!process.named) {
        make_files_once("fork");
    }
}

void child_begins() {
    LibraryFunction::after_fork();
    if (!process.recording) {
        return;
    }
    AtWork const at_work;
    pthread_mutex_init(&lock, nullptr);
    process.named = false;
    process.record_bytes = 0;
    begin_byte_counts_of_child();
    forget_streams();
    begin_names();
    forget_all_files();
    HandleTable::forget_all();
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
        report_byte_counts();
        end_facts();
        end_counts();
    });
}

namespace {

__attribute__((constructor)) void library_begins() { begin_process(); }

__attribute__((destructor)) void library_ends() { end_process(); }

}  // namespace
}  // namespace weir::trace
