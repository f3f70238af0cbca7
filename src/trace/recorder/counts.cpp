#include "trace/recorder/counts.hpp"

#include <stdio.h>
#include <string.h>

#include <initializer_list>

#include "trace/recorder/own_files.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

constexpr uint32_t most_calls = 2048;

struct Lost {
    uint64_t calls;
    uint64_t bytes;
    uint64_t ticks;
};
Lost lost[most_calls];
bool any_lost = false;  ///< else nobody looks at their pages

CountsHead* head = nullptr;
int64_t mapped = 0;

uint32_t calls_of_all_kinds() { return static_cast<uint32_t>(__stop_weir_calls - __start_weir_calls); }

CountsEntry& entry_of(Call const& call) { return reinterpret_cast<CountsEntry*>(head + 1)[call.id() - 1]; }

char const* path_of_counts() {
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.counts", process.prefix);
    return path;
}

/// Two threads may do so concurrently: they store the same value.
void enter_name(CountsEntry& entry, Call const& call) {
    auto* to = entry.call;
    auto* const last = entry.call + sizeof entry.call - 1;
    for (auto const* part : {call.interface(), " ", call.name()}) {
        for (; *part != 0 && to < last; ++part) {
            *to++ = *part;
        }
    }
}

template <class Counter>
void add(Counter& counter, uint64_t bytes, uint64_t ticks) {
    __atomic_fetch_add(&counter.calls, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counter.bytes, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counter.ticks, ticks, __ATOMIC_RELAXED);
}

}  // namespace

void begin_counts(char const* why) {
    if (head != nullptr) {
        return;
    }
    GrowingFile file;
    auto const bytes = static_cast<int64_t>(sizeof(CountsHead) + calls_of_all_kinds() * sizeof(CountsEntry));
    auto* const place = file.move(path_of_counts(), 0, bytes);
    if (place == nullptr) {
        return;
    }
    head = reinterpret_cast<CountsHead*>(place);
    mapped = file.window_bytes;
    head->process = process.id;
    head->entries = calls_of_all_kinds();
    strncpy(head->why, why, sizeof head->why - 1);
    memcpy(head->magic, counts_magic, sizeof head->magic);
}

void forget_counts() {
    if (head != nullptr) {
        system::unmap(head, static_cast<size_t>(mapped));
        head = nullptr;
        system::remove(path_of_counts());
    }
}

bool has_counts() { return head != nullptr; }

void count_lost(Call const& call, int64_t result, uint64_t ticks) {
    bool const moves = strcmp(call.kind(), "read") == 0 || strcmp(call.kind(), "write") == 0;
    auto const bytes = moves && result > 0 ? static_cast<uint64_t>(result) : 0;
    if (!has_counts()) {
        __atomic_store_n(&any_lost, true, __ATOMIC_RELAXED);
        add(lost[call.id() % most_calls], bytes, ticks);
        return;
    }
    auto& entry = entry_of(call);
    if (entry.call[0] == 0) {
        enter_name(entry, call);
    }
    add(entry, bytes, ticks);
}

void report_lost() {
    char line[512];
    if (!__atomic_exchange_n(&any_lost, false, __ATOMIC_RELAXED)) {
        return;
    }
    for (auto const& call : AllCalls{}) {
        auto& l = lost[call.id() % most_calls];
        if (l.calls > 0) {
            append_fact(
                line, snprintf(line, sizeof line, "{\"lost\":\"%s %s\",\"calls\":%llu,\"bytes\":%llu,\"ticks\":%llu}\n",
                               call.interface(), call.name(), static_cast<unsigned long long>(l.calls),
                               static_cast<unsigned long long>(l.bytes), static_cast<unsigned long long>(l.ticks)));
            l = {};
        }
    }
}

void forget_lost() {
    if (__atomic_exchange_n(&any_lost, false, __ATOMIC_RELAXED)) {
        memset(lost, 0, sizeof lost);
    }
}

void end_counts() {
    if (head != nullptr && head->process == process.id) {
        head->end_real_ns = nanoseconds(CLOCK_REALTIME);
        head->end_monotonic_ns = nanoseconds(CLOCK_MONOTONIC);
    }
}

}  // namespace weir::trace
