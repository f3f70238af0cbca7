#include "trace/recorder/confinement.hpp"

#include <stdio.h>
#include <string.h>

#include "trace/recorder/counts.hpp"
#include "trace/recorder/coverage.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/open_files.hpp"
#include "trace/recorder/process_facts.hpp"

namespace weir::trace {
namespace {

/// The inode of this process's file of facts; 0: it cannot be opened. Another file may have its name.
uint64_t inode_of_facts() {
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.process", process.prefix);
    auto const file = system::open(path, O_WRONLY);
    struct statx facts {};
    auto const known = file >= 0 && system::call(SYS_statx, file, "", AT_EMPTY_PATH, STATX_INO, &facts) == 0;
    if (file >= 0) {
        system::close(file);
    }
    return known ? facts.stx_ino : 0;
}

uint64_t facts_before = 0;

void make_ready(char const* why) {
    make_files();
    AtWork const at_work;
    prepare_names();
    prepare_stream(this_thread);
    begin_counts(why);
}

/// Looks up open descriptors now, since that takes system calls.
void look_at_descriptors() {
    constexpr int most = 256;
    for (int descriptor = 0; descriptor < most; ++descriptor) {
        file_of(descriptor);
    }
}

void make_ready_for_confinement(char const* why) {
    system::KeepErrno const keep;
    make_ready(why);
    look_at_descriptors();
    end_program();
}

void count(Call const& call, int64_t result) {
    auto& thread = this_thread;
    if (thread.bypass == Bypass::recorder && thread.head != nullptr) {
        ++thread.head->lost;
        thread.head->lost_why = thread.head->lost_why == 0 ? EINTR : thread.head->lost_why;
    }
    count_lost(call, result, 0);
}

}  // namespace

void before_leaving(char const* why) {
    system::KeepErrno const keep;
    make_ready(why);
    AtWork const at_work;
    facts_before = inode_of_facts();
}

void after_leaving() {
    system::KeepErrno const keep;
    AtWork const at_work;
    names_changed();
    if (facts_before != 0 && inode_of_facts() == facts_before) {
        forget_counts();
    } else {
        system::is_cut_off = true;
    }
}

void confine_thread(char const* why) {
    make_ready_for_confinement(why);
    this_thread.bypass = Bypass::confined;
}

void confine_process(char const* why) {
    make_ready_for_confinement(why);
    process.confined = true;
}

void release() {
    this_thread.bypass = Bypass::none;
    process.confined = false;
    system::KeepErrno const keep;
    AtWork const at_work;
    forget_counts();
}

/// An unknown descriptor is counted, unless it is one of the first three, which are rarely files.
void count_bypassed(Call const& call, int descriptor, int64_t result) {
    bool const has_place = descriptors != nullptr && descriptor >= 0 && descriptor < most_descriptors;
    auto const* const file = has_place ? __atomic_load_n(&descriptors[descriptor], __ATOMIC_ACQUIRE) : nullptr;
    bool const wanted = file == nullptr ? descriptor > 2 : file != &not_recorded;
    if (wanted) {
        count(call, result);
    } else {
        count_unrecorded_bytes(call.direction(), result);
    }
}

void count_bypassed(Call const& call, char const* path, int64_t result) {
    bool const named = path != nullptr && result >= 0 && path[0] != 0;
    if (named && (path[0] != '/' || process.settings.wants(path))) {
        count(call, result);
    }
}

}  // namespace weir::trace
